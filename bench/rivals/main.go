// Command rivals makes a table from benchmarks of this project's generators and of others that
// a Go module proxy serves:
//
//	go test -C bench/rivals -run '^$' -bench . -cpu 1,2 -count 6 >rivals.txt
//	go run -C bench/rivals . <rivals.txt
//	UID_RIVALS=20e6 go test -C bench/rivals -run Duplicates -v -timeout 1h
//
// benchstat reads the same lines. The rivals do not all promise the same: some ids have 12 to
// 26 bytes, some carry no time, and some generators make only a limited number of ids in a
// millisecond and then wait for the next one. The table says so.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintln(stderr, "usage: go run -C bench/rivals . <rivals.txt")
		return 2
	}
	rows, err := read(stdin)
	if err == nil {
		err = write(stdout, rows)
	}
	if err != nil {
		fmt.Fprintln(stderr, "rivals:", err)
		return 1
	}
	return 0
}
