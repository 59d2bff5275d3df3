package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

func (s *sizes) write(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tlines of Go\tbudget\tover\ttests\texported\tbudget\tover\t")
	line := func(name string, s sum, lines, tests, names int) {
		tested := strconv.Itoa(s.tests)
		if tests > 0 {
			tested += fmt.Sprintf(" of %d", tests)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\t\n", name, s.lines,
			of(lines), over(s.lines, lines), tested, s.names, of(names), over(s.names, names))
	}
	for _, r := range rooms {
		if size := s.rooms[r]; size != nil {
			line(r.name, *size, r.lines, 0, r.names)
		}
	}
	line("all", s.all, budget.lines, budget.tests, budget.names)
	t.Flush()
	fmt.Fprintf(w, "modules with a version: %d of %d, and %d without; ", s.tagged, budget.modules,
		s.modules-s.tagged)
	fmt.Fprintf(w, "flags of uidbench: %d of %d; ", s.flags, budget.flags)
	fmt.Fprintf(w, "lines of docs: %d of %d\n", s.docs, budget.docs)
}

func of(budget int) string {
	if budget == 0 {
		return ""
	}
	return strconv.Itoa(budget)
}

func over(n, budget int) string {
	if budget == 0 || n <= budget {
		return ""
	}
	return "+" + strconv.Itoa(n-budget)
}
