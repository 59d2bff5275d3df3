// Command size, run in the folder tools, prints how large the parts of the repository are, beside
// their budgets. A change that exceeds one makes up for it elsewhere, or says in its commit why the
// budget changes. It names each line that is too wide, which is an error.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A line is a budget, the columns that lines may have, files, and a name. A file belongs to the
// first one that matches its path.
//
//go:embed budgets.txt
var budgets string

// What is in another language, in Go and on a page; the packages that users import, and exported
// names: in declarations, and as members of their blocks, as gofmt sets them.
var (
	raw      = regexp.MustCompile("`[^`]*`")
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	imported = regexp.MustCompile(`^(uid|ringbuffer|padding|policy|preset|bench|opaque|typeid|bwmarrin|` +
		`metrics|worker|worker/(store|memstore|(sql|redis|etcd|zk|k8s|doc|s3)store))/\w+\.go$`)
	declared = regexp.MustCompile(`(?m)^(func (\(\w* ?\*?[A-Z][^)]*\) )?|type |var |const )[A-Z]`)
	blocks   = regexp.MustCompile(`(?ms)^(type [A-Z][^\n]* |var |const )[({]$.*?^[)}]`)
	members  = regexp.MustCompile(`(?m)^\t[A-Z]\w*(, [A-Z]\w*)*([ (]|$)`)
)

func main() {
	_ = os.Chdir("..")
	list, err := exec.Command("git", "ls-files", "-co", "--exclude-standard").Output()
	files, size := strings.Fields(string(list)), map[string]int{}
	for part := range strings.Lines(budgets) {
		var budget, columns int
		var pattern, name string
		_, _ = fmt.Sscanf(part, "%d %d %s %q", &budget, &columns, &pattern, &name)
		files = slices.DeleteFunc(files, func(file string) bool {
			matches := regexp.MustCompile(pattern).MatchString(file)
			if matches {
				err = errors.Join(err, count(file, name, columns, size))
			}
			return matches
		})
		fmt.Printf("%-38s %6d of %6d  %+d\n", name, size[name], budget, size[name]-budget)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// count adds what a file has to the sizes of its part, of all Go, and of the exported names.
func count(file, part string, columns int, size map[string]int) (err error) {
	text, _ := os.ReadFile(file) // one that was deleted is empty
	other, page := raw, strings.HasSuffix(file, ".md")
	if page {
		other = fenced
	}
	own := other.ReplaceAllStringFunc(string(text), func(s string) string {
		return strings.Repeat("\n", strings.Count(s, "\n"))
	})
	for n, line := range strings.Split(own, "\n") {
		if utf8.RuneCountInString(line) > columns {
			err = errors.Join(err, fmt.Errorf("%s:%d: more than %d columns", file, n+1, columns))
		}
	}
	if page {
		own = strings.Join(strings.Fields(own), "\n") + "\n" // words in place of lines
	}
	size[part] += strings.Count(own, "\n")
	if strings.HasSuffix(file, ".go") && part != "tests" {
		size["all Go without tests"] += strings.Count(own, "\n")
	}
	if part != "tests" && imported.MatchString(file) {
		size["exported names"] += len(declared.FindAllString(own, -1))
		for _, block := range blocks.FindAllString(own, -1) {
			for _, member := range members.FindAllString(block, -1) {
				size["exported names"] += 1 + strings.Count(member, ",")
			}
		}
	}
	return err
}
