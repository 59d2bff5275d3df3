// Command size, run in the folder tools, prints how large the parts of the repository are, beside
// their budgets. A change that exceeds one makes up for it elsewhere, or says in its commit why the
// budget changes. It names each line that is too wide, which is an error.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

type part struct {
	name, files        string
	columns, budget, n int
}

// A file belongs to the first of these that its path matches. A tab is a column.
var parts = []part{
	{"tests", `_test\.go$`, 100, 38700, 0},
	{"uid", `^uid/.*\.go$`, 100, 4000, 0},
	{"ringbuffer, padding, policy, preset", `^(ringbuffer|padding|policy|preset)/.*\.go$`, 100, 1150, 0},
	{"worker", `^worker/\w+\.go$`, 100, 2510, 0},
	{"store and what is below worker", `^worker/(store|memstore|storetest|internal)/.*\.go$`, 100, 2900, 0},
	{"the stores", `^worker/\w+store/.*\.go$`, 100, 4800, 0},
	{"opaque, typeid, bwmarrin, metrics", `^(opaque|typeid|bwmarrin|metrics)/.*\.go$`, 100, 1000, 0},
	{"bench", `^bench/.*\.go$`, 100, 2700, 0},
	{"ringuid, uidbench", `^cmd/.*\.go$`, 100, 6660, 0},
	{"internal, examples, tools", `\.go$`, 100, 4500, 0},
	{"shell, Lua, SQL, C, awk, templates", `\.(sh|lua|sql|c|awk|html)$|^Makefile$|^\.ci/run$`, 999, 1150, 0},
	{"words of English pages, without code", `^(docs/(\w+/)?\w+(-\w+)*|README|FAQ)\.md$`, 200, 20000, 0},
	{"all Go without tests", "^$", 0, 30000, 0},
	{"exported names, methods, fields", "^$", 0, 520, 0},
}

// What is in another language: all between backquotes in a file of Go, and code on a page.
var raw, fenced = regexp.MustCompile("`[^`]*`"), regexp.MustCompile("(?ms)^ *```.*?^ *```$")

var imported = regexp.MustCompile(`^(uid|ringbuffer|padding|policy|preset|bench|opaque|typeid|bwmarrin|` +
	`metrics|worker|worker/(store|memstore|(sql|redis|etcd|zk|k8s|doc|s3)store))/\w+\.go$`)

func main() {
	_ = os.Chdir("..")
	list, err := exec.Command("git", "ls-files", "-co", "--exclude-standard").Output()
	for file := range strings.FieldsSeq(string(list)) {
		i := slices.IndexFunc(parts, func(p part) bool {
			return regexp.MustCompile(p.files).MatchString(file)
		})
		if i < 0 {
			continue
		}
		text, _ := os.ReadFile(file) // one that was deleted is empty
		other := raw
		if i == 11 {
			other = fenced
		}
		own := other.ReplaceAllStringFunc(string(text), func(s string) string {
			return strings.Repeat("\n", strings.Count(s, "\n"))
		})
		size := strings.Count(own, "\n")
		if i == 11 {
			size = len(strings.Fields(own))
		}
		parts[i].n += size
		if 0 < i && i < 10 {
			parts[12].n += size
			if imported.MatchString(file) {
				parts[13].n += exported(text)
			}
		}
		for n, line := range strings.Split(own, "\n") {
			if utf8.RuneCountInString(line) > parts[i].columns {
				err = fmt.Errorf("%s:%d: more than %d columns", file, n+1, parts[i].columns)
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	for _, p := range parts {
		fmt.Printf("%-38s %6d of %6d  %+d\n", p.name, p.n, p.budget, p.n-p.budget)
	}
	if err != nil {
		os.Exit(1)
	}
}

// exported counts the exported names of a file, with the methods and fields of exported types.
func exported(text []byte) (n int) {
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
