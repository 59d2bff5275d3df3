// Command size prints the size of each part of the repository, beside its budget. A change that
// exceeds a budget makes up for it elsewhere, or says in its commit why the budget changes.
//
//	go run ./size [FOLDER OF THE REPOSITORY]
//
// Lines are those of Go files in git, including comments, blank lines and files under testdata.
// It exits with 1 if a line of Go has more than 100 columns.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// The folder is the current one if none is given.
func main() { os.Exit(run(append(os.Args, ".")[1], os.Stdout, os.Stderr)) }

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

func (s *sizes) write(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tlines of Go\tbudget\tover\ttests\texported\tbudget\tover\t")
	line := func(name string, s sum, tests string, r *room) {
		fmt.Fprintf(t, "%s\t%d\t%s\t%d%s\t%d\t%s\t\n", name, s.lines, of(s.lines, r.lines), s.tests,
			tests, s.names, of(s.names, r.names))
	}
	for _, r := range rooms {
		if size := s.rooms[r]; size != nil {
			line(r.name, *size, "", r)
		}
	}
	line("all", s.all, fmt.Sprintf(" of %d", budget.tests),
		&room{lines: budget.lines, names: budget.names})
	t.Flush()
	fmt.Fprintf(w, "modules with a version: %d of %d, and %d without; flags of uidbench: %d of %d; "+
		"lines of docs: %d of %d\n", s.tagged, budget.modules, s.modules-s.tagged, s.flags,
		budget.flags, s.docs, budget.docs)
}

// of returns the columns for a budget and for how much n is over it; empty without a budget.
func of(n, budget int) string {
	switch {
	case budget == 0:
		return "\t"
	case n <= budget:
		return fmt.Sprintf("%d\t", budget)
	}
	return fmt.Sprintf("%d\t+%d", budget, n-budget)
}
