// Command size, run in the folder tools, prints how large the parts of the repository are, beside
// their budgets. A change that exceeds one makes up for it elsewhere, or says in its commit why the
// budget changes. It names each line that is too wide, which is an error.
package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A line is a budget, the columns that lines may have, what is counted, in which files, and a name.
// Tests are of no part but their own.
//
//go:embed budgets.txt
var budgets string

// What is in another language, in Go and on a page. In Go that is set by gofmt, what hides names:
// bodies of functions, and of types that are not exported; and exported names, outside of these.
var (
	raw    = regexp.MustCompile("`[^`]*`")
	fenced = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	hidden = regexp.MustCompile(`(?ms)^(func [^\n]*[^}\n]|type [a-z][^\n]*[({])\n.*?^[)}]`)
	names  = regexp.MustCompile(`(?m)^(func (\(\w* ?\*?[A-Z][^)]*\) )?|type |var |const |\t)` +
		`[A-Z]\w*(, [A-Z]\w*)*([[ (]|$)`)
)

func main() {
	_ = os.Chdir("..")
	list, _ := exec.Command("git", "ls-files", "-co", "--exclude-standard").Output()
	wide := 0
	for part := range strings.Lines(budgets) {
		var budget, columns, size int
		var unit, pattern, name string
		_, _ = fmt.Sscanf(part, "%d %d %s %s %q", &budget, &columns, &unit, &pattern, &name)
		files, other := regexp.MustCompile(pattern), raw
		if unit == "words" {
			other = fenced
		}
		for file := range strings.FieldsSeq(string(list)) {
			if !files.MatchString(file) || strings.HasSuffix(file, "_test.go") != (name == "tests") {
				continue
			}
			text, _ := os.ReadFile(file) // one that was deleted is empty
			own := other.ReplaceAllStringFunc(string(text), func(s string) string {
				return strings.Repeat("\n", strings.Count(s, "\n"))
			})
			for n, line := range strings.Split(own, "\n") {
				if utf8.RuneCountInString(line) > columns {
					fmt.Fprintf(os.Stderr, "%s:%d: more than %d columns\n", file, n+1, columns)
					wide = 1
				}
			}
			switch unit {
			case "lines":
				size += strings.Count(own, "\n")
			case "words":
				size += len(strings.Fields(own))
			case "names":
				for _, list := range names.FindAllString(hidden.ReplaceAllString(own, "$1"), -1) {
					size += 1 + strings.Count(list, ",")
				}
			}
		}
		fmt.Printf("%-38s %6d of %6d  %+d\n", name, size, budget, size-budget)
	}
	os.Exit(wide)
}
