package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// writers print a report, by the name of the format.
var writers = map[string]func(io.Writer, report) error{
	"text":     writeText,
	"markdown": writeMarkdown,
	"json":     writeJSON,
}

// columns of the table; those that hold numbers are aligned to the right where
// the format can.
var columns = []struct {
	head   string
	number bool
	cell   func(row) string
}{
	{"generator", false, func(r row) string { return r.title() }},
	{"id", true, func(r row) string { return orDash(r.Bytes > 0, strconv.Itoa(r.Bytes)+" B") }},
	{"one goroutine, ns", true, func(r row) string { return r.One.ns() }},
	{"x", true, func(r row) string { return r.One.ratio(r.Quoted) }},
	{"all CPUs, ns", true, func(r row) string { return r.All.ns() }},
	{"x", true, func(r row) string { return r.All.ratio(r.Quoted) }},
	{"allocs", true, func(r row) string { return r.allocs() }},
	{"checked", true, func(r row) string { return r.checked() }},
	{"duplicates", true, func(r row) string { return r.duplicates() }},
	{"other faults", false, func(r row) string { return r.faultText() }},
	{"note", false, func(r row) string { return r.noteText() }},
}

func writeText(w io.Writer, r report) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, c := range columns {
		fmt.Fprint(t, c.head, "\t")
	}
	fmt.Fprintln(t)
	for _, row := range r.Rows {
		for _, c := range columns {
			fmt.Fprint(t, c.cell(row), "\t")
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", strings.Join(r.legend(), "\n"))
	return err
}

func writeMarkdown(w io.Writer, r report) error {
	var b strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&b, "| %s ", c.head)
	}
	b.WriteString("|\n")
	for _, c := range columns {
		b.WriteString(map[bool]string{true: "|--:", false: "|---"}[c.number])
	}
	b.WriteString("|\n")
	for _, row := range r.Rows {
		for i, c := range columns {
			text := strings.ReplaceAll(c.cell(row), "|", `\|`)
			if i == 0 && row.Ours {
				text = "**" + text + "**"
			}
			fmt.Fprintf(&b, "| %s ", text)
		}
		b.WriteString("|\n")
	}
	fmt.Fprintf(&b, "\n%s\n", strings.Join(r.legend(), "\n\n"))
	_, err := io.WriteString(w, b.String())
	return err
}

func writeJSON(w io.Writer, r report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// legend is what a reader of the table must know.
func (r report) legend() []string {
	lines := []string{fmt.Sprintf("%s; %s", r.Date, r.Machine)}
	if r.Baseline.One > 0 {
		lines = append(lines,
			fmt.Sprintf("times: medians of %d rounds of %v", r.Rounds, r.Slice),
			fmt.Sprintf("x: the ratio to a shared atomic add by as many goroutines, medians of each round (over all rounds: one goroutine %s ns, %d goroutines %s ns)",
				three(r.Baseline.One), r.CPUs, three(r.Baseline.All)))
	}
	lines = append(lines, fmt.Sprintf("checked: ids taken by %d goroutines, each on a thread, kept and compared; "+
		"a rate-limited generator is checked for %v at most", r.Takers, limitedCheck),
		"other faults: what was found, and what is known of a generator from its source or from another run")
	if slices.ContainsFunc(r.Rows, func(row row) bool { return row.Ours }) {
		lines = append(lines, "ringuid: cached generators have the layout 45/5/13 in seconds; taken faster than 8192 ids a second "+
			"they borrow ids from the future, as far as Config.MaxAhead, the lease and the layout allow")
	}
	if r.Quoted != "" {
		lines = append(lines, r.Quoted)
	}
	return lines
}

func (l timing) ns() string { return orDash(l.NS > 0, three(l.NS)) }

func (l timing) ratio(quoted bool) string {
	if quoted && l.High > 0 {
		return three(l.Ratio) + " to " + three(l.High)
	}
	return orDash(l.Ratio > 0, three(l.Ratio))
}

func (r row) allocs() string {
	if r.Allocs == nil {
		return "-"
	}
	return strconv.FormatFloat(math.Round(*r.Allocs*100)/100, 'f', -1, 64)
}

func (r row) checked() string {
	if r.Check == nil {
		return "-"
	}
	return short(r.Check.IDs)
}

// duplicates are "-" where they were not looked for, and never rounded.
func (r row) duplicates() string {
	if r.Check == nil {
		return "-"
	}
	return strconv.FormatInt(r.Check.Duplicates, 10)
}

// faultText is what was found besides duplicates, and then what is known.
func (r row) faultText() string {
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, short(n)+" "+what)
		}
	}
	errors := r.Errors
	if c := r.Check; c != nil {
		add(c.Negative, "negative")
		errors += c.Errors
	}
	add(errors, "errors")
	if r.Faults != "" {
		parts = append(parts, r.Faults)
	}
	if len(parts) == 0 && r.Check != nil {
		return "none"
	}
	return orDash(len(parts) > 0, strings.Join(parts, ", "))
}

func (r row) noteText() string {
	var parts []string
	if r.Quoted {
		parts = append(parts, "quoted")
	}
	if r.Limit != "" {
		parts = append(parts, "rate-limited: "+r.Limit)
	}
	if r.Note != "" {
		parts = append(parts, r.Note)
	}
	return strings.Join(parts, "; ")
}

func orDash(known bool, text string) string {
	if known {
		return text
	}
	return "-"
}

// three writes three significant digits, and more before the point if need be.
func three(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	}
	return fmt.Sprintf("%.3g", x)
}

// short writes a count by its thousands or millions; small ones stay exact.
func short(n int64) string {
	switch {
	case n >= 1e6:
		return three(float64(n)/1e6) + " M"
	case n >= 1e4:
		return three(float64(n)/1e3) + " k"
	}
	return strconv.FormatInt(n, 10)
}
