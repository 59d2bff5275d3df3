// Command size prints how large each part of the repository is, beside its budget. Who goes
// over takes it from elsewhere, or says in the commit why the budget changes.
//
//	go run ./size FOLDER OF THE REPOSITORY
//
// Lines are those of Go files in git, with comments and blank ones, also of files under
// testdata. It exits with 1 when a line of Go has more than 100 columns.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1], os.Stdout, os.Stderr)) }

func run(root string, stdout, stderr io.Writer) int {
	s, err := measure(root)
	if err != nil {
		fmt.Fprintln(stderr, "size:", err)
		return 1
	}
	s.write(stdout)
	for _, l := range s.long {
		fmt.Fprintf(stderr, "%s: more than %d columns\n", l, columns)
	}
	return min(len(s.long), 1)
}
