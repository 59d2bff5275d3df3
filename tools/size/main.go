// Command size prints how large the parts of the repository are, beside their budgets. A change
// that exceeds one makes up for it elsewhere, or says in its commit why the budget changes.
//
//	go run ./size [FOLDER OF THE REPOSITORY]
//
// Lines of Go are those without tests. It exits with 1 if a line of Go has more than 100 columns;
// a tab is one.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A row counts what lies in its folders; the last one that fits a folder does.
type row struct {
	name    string
	folders string // a regular expression
	budget  int
	n       int
}

var rows = []*row{
	{"internal, examples, tools", ``, 2800, 0},
	{"uid", `^uid$`, 3500, 0},
	{"ringbuffer, padding, policy, preset", `^(ringbuffer|padding|policy|preset)$`, 1150, 0},
	{"worker", `^worker$`, 2000, 0},
	{"store and what is below worker", `^worker/(store|memstore|storetest|internal)`, 2650, 0},
	{"the stores", `^worker/(sql|redis|etcd|zk|k8s)store`, 3600, 0},
	{"opaque, typeid, bwmarrin, metrics", `^(opaque|typeid|bwmarrin|metrics)`, 1000, 0},
	{"bench", `^bench`, 2700, 0},
	{"uidbench", `^cmd/`, 4900, 0},
}

var (
	all   = row{"all", "", 24300, 0}
	tests = row{"tests", "", 29000, 0}
	other = row{"shell, Lua, SQL, C, awk, templates", "", 1000, 0}
	words = row{"words of English pages, without code", "", 20000, 0}
	names = row{"exported names, methods, fields", "", 360, 0}
	wide  = row{"lines of pages above 200 characters", "", 0, 0} // outside of code

	imported = regexp.MustCompile(`^(uid|ringbuffer|padding|policy|preset|bench|opaque|typeid|` +
		`bwmarrin|metrics|worker|worker/(store|memstore|(sql|redis|etcd|zk|k8s)store))$`)
	written = regexp.MustCompile(`(\.(sh|lua|sql|c|awk|html)|^Makefile|^\.ci/run)$`)
	page    = regexp.MustCompile(`^(docs/\w+(-\w+)*|README|FAQ)\.md$`)
	code    = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
)

func main() {
	root := append(os.Args, ".")[1]
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	files, err := list.Output()
	long := 0
	for file := range strings.SplitSeq(strings.Trim(string(files), "\x00"), "\x00") {
		text, gone := os.ReadFile(filepath.Join(root, file))
		if gone == nil {
			long += add(file, string(text))
		}
	}
	if err != nil || all.n == 0 {
		fmt.Fprintln(os.Stderr, "size: no files of Go in git:", err)
		os.Exit(1)
	}
	for _, r := range append(rows, &all, &tests, &other, &words, &wide, &names) {
		fmt.Printf("%-38s %6d of %6d  %+d\n", r.name, r.n, r.budget, r.n-r.budget)
	}
	os.Exit(min(long, 1))
}

// add counts a file, and returns how many of its lines are too long.
func add(file, text string) (long int) {
	lines, dir := strings.Count(text, "\n"), filepath.ToSlash(filepath.Dir(file))
	switch {
	case page.MatchString(file):
		text = code.ReplaceAllString(text, "")
		words.n += len(strings.Fields(text))
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(line) > 201 {
				wide.n++
			}
		}
	case written.MatchString(file):
		other.n += lines
	case strings.HasSuffix(file, "_test.go"):
		tests.n += lines
	case strings.HasSuffix(file, ".go"):
		of := rows[0]
		for _, r := range rows {
			if regexp.MustCompile(r.folders).MatchString(dir) {
				of = r
			}
		}
		of.n, all.n = of.n+lines, all.n+lines
		if imported.MatchString(dir) {
			names.n += exported(text)
		}
	}
	if filepath.Ext(file) != ".go" {
		return 0
	}
	raw := false // between backquotes, where Go has text
	for i, line := range strings.Split(text, "\n") {
		ticks := strings.Count(line, "`")
		if utf8.RuneCountInString(line) > 100 && !raw && ticks == 0 {
			fmt.Fprintf(os.Stderr, "%s:%d: more than 100 columns\n", file, i+1)
			long++
		}
		raw = raw != (ticks%2 == 1)
	}
	return long
}

// exported counts the exported names of a file, with the methods and fields of exported types.
func exported(text string) (n int) {
	f, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	ast.FileExports(f)
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Recv == nil || ast.IsExported(strings.TrimPrefix(
				types.ExprString(node.Recv.List[0].Type), "*")) {
				n++
			}
			return false
		case *ast.TypeSpec:
			n++
			node.TypeParams = nil
		case *ast.ValueSpec:
			n += len(node.Names)
			return false
		case *ast.Field:
			n += len(node.Names)
			return false
		case *ast.FuncType:
			return false
		}
		return true
	})
	return n
}
