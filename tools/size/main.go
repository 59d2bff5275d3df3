// Command size prints how large each part of the repository is, beside its budget. Who goes
// over takes it from elsewhere, or says in the commit why the budget changes.
//
//	go run ./size [FOLDER OF THE REPOSITORY]
//
// Lines are those of Go files in git, with comments and blank ones, also of files under
// testdata. It exits with 1 when a line of Go has more than 100 columns.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	os.Exit(run(root, os.Stdout, os.Stderr))
}

func run(root string, stdout, stderr io.Writer) int {
	files, err := tracked(root)
	if err != nil {
		fmt.Fprintln(stderr, "size:", err)
		return 1
	}
	sums := make(map[*room]*sum)
	var whole sum
	var long []string
	for _, f := range files {
		s, err := measure(root, f)
		if err != nil {
			fmt.Fprintln(stderr, "size:", err)
			return 1
		}
		r := roomOf(f)
		if sums[r] == nil {
			sums[r] = &sum{}
		}
		sums[r].add(s)
		whole.add(s)
		long = append(long, s.long...)
	}
	write(stdout, sums, whole)
	for _, l := range long {
		fmt.Fprintf(stderr, "%s: more than %d columns\n", l, columns)
	}
	if len(long) > 0 {
		return 1
	}
	return 0
}
