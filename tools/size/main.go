// Command size prints how large the parts of the repository are, beside their budgets. It is run
// in the folder tools. A change that exceeds one makes up for it elsewhere, or says in its commit
// why the budget changes. A line of Go of more than 100 columns is an error; a tab is one.
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
	"strings"
	"unicode/utf8"
)

// A file belongs to the first of these that its path matches.
var rows = []struct {
	name, files string
	budget, n   int
}{
	{"tests", `_test\.go$`, 29000, 0},
	{"uid", `^uid/.*\.go$`, 3500, 0},
	{"ringbuffer, padding, policy, preset", `^(ringbuffer|padding|policy|preset)/.*\.go$`, 1150, 0},
	{"worker", `^worker/\w+\.go$`, 2000, 0},
	{"store and what is below worker", `^worker/(store|memstore|storetest|internal)/.*\.go$`, 2650, 0},
	{"the stores", `^worker/\w+store/.*\.go$`, 3600, 0},
	{"opaque, typeid, bwmarrin, metrics", `^(opaque|typeid|bwmarrin|metrics)/.*\.go$`, 1000, 0},
	{"bench", `^bench/.*\.go$`, 2700, 0},
	{"ringuid, uidbench", `^cmd/.*\.go$`, 4900, 0},
	{"internal, examples, tools", `\.go$`, 2800, 0},
	{"shell, Lua, SQL, C, awk, templates", `\.(sh|lua|sql|c|awk|html)$|^Makefile$|^\.ci/run$`, 1000, 0},
	{"words of English pages, without code", `^(docs/\w+(-\w+)*|README|FAQ)\.md$`, 20000, 0},
	{"all Go without tests", "", 24300, 0},
	{"lines of pages above 200 characters", "", 0, 0},
	{"exported names, methods, fields", "", 360, 0},
}

var (
	code     = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	imported = regexp.MustCompile(`^(uid|ringbuffer|padding|policy|preset|bench|opaque|typeid|bwmarrin|` +
		`metrics|worker|worker/(store|memstore|(sql|redis|etcd|zk|k8s)store))/\w+\.go$`)
)

func main() {
	_ = os.Chdir("..")
	list, err := exec.Command("git", "ls-files", "-co", "--exclude-standard").Output()
	wide := 0
	all, long, names := &rows[12].n, &rows[13].n, &rows[14].n
	for file := range strings.FieldsSeq(string(list)) {
		bytes, _ := os.ReadFile(file) // one that was deleted is empty
		text := string(bytes)
		for i := range rows[:12] {
			if !regexp.MustCompile(rows[i].files).MatchString(file) {
				continue
			}
			switch size := strings.Count(text, "\n"); {
			case i == 11:
				text = code.ReplaceAllString(text, "")
				rows[i].n += len(strings.Fields(text))
				*long += longer(text, 200)
			case 0 < i && i < 10:
				*all += size
				fallthrough
			default:
				rows[i].n += size
			}
			break
		}
		if strings.HasSuffix(file, ".go") {
			// What stands between backquotes is other text.
			wide += longer(regexp.MustCompile("(?s)`.*?`").ReplaceAllString(text, "\n"), 100)
			if !strings.HasSuffix(file, "_test.go") && imported.MatchString(file) {
				*names += exported(text)
			}
		}
	}
	for _, r := range rows {
		fmt.Printf("%-38s %6d of %6d  %+d\n", r.name, r.n, r.budget, r.n-r.budget)
	}
	if err != nil || wide > 0 {
		fmt.Fprintln(os.Stderr, "size: lines of Go of more than 100 columns:", wide, err)
		os.Exit(1)
	}
}

func longer(text string, most int) (n int) {
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > most+1 {
			n++
		}
	}
	return n
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
