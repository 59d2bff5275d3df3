// Package preempt is a test that runs the hammers of other packages with a pause after each of
// their atomic operations and each lock: faults in windows of nanoseconds are found in seconds.
package preempt

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
)

// packages are those that get pauses, and hammers are their tests that run with them.
var (
	packages = []string{"ringbuffer", "padding", "uid"}
	hammers  = strings.Join([]string{"TestHammer",
		"TestUsedIsFromNoneToAllSlots", "TestSegments", "TestCloseBesideTakes", "TestCountersOnlyGrow",
		"TestEveryWayToTake", "TestManyWaitersOfAllKinds"}, "|")
)

func TestHammersWithPauses(t *testing.T) {
	out, err := run(t, hammers, packages)
	assert.NoError(t, err, "%s", out)
	t.Logf("%s", out)
}

// Each of these is one change of package uid.
func TestACopyAtEachStep(t *testing.T) {
	out, err := run(t, "TestACopyAtEachStep", []string{"uid"})
	assert.NoError(t, err, "%s", out)
	for _, m := range [][2]string{
		{"ok && g.generation.Load() == dealt {", "ok {"},
		{"&& generation == s.dealt {", "&& generation > 0 {"},
		{"		begun = ringbuffer.Attempt{}\n", ""},
		{"begun, dealt)\n}", "begun, g.dealt.Load())\n}"},
		{"	dealt := g.dealt.Load()\n	begun := g.mint.ring.Begin()\n",
			"	begun := g.mint.ring.Begin()\n	dealt := g.dealt.Load()\n"},
	} {
		out, _ = run(t, "TestACopyAtEachStep", []string{"uid"}, m[:]...)
		assert.Contains(t, string(out), "--- FAIL", m[1])
	}
}

// run runs tests of packages with pauses, after a mutation, if any: old text and new.
func run(t *testing.T, tests string, packages []string, mutation ...string) ([]byte, error) {
	race.Skip(t)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	args := []string{"test", "-count=1", "-short", "-vet=off", "-timeout=5m", "-run", tests,
		"-overlay", overlay(t, root, strings.NewReplacer(mutation...))}
	for _, p := range packages {
		args = append(args, "./"+p)
	}
	c := exec.Command("go", args...)
	c.Dir, c.Env = root, append(os.Environ(), "UID_HAMMER=1e6")
	return c.CombinedOutput()
}

// overlay writes what go build takes in place of the packages' files, and returns the name of
// the file that says so.
func overlay(t *testing.T, root string, mutant *strings.Replacer) (name string) {
	dir, replace := t.TempDir(), map[string]string{}
	for _, p := range packages {
		files := token.NewFileSet()
		// Also the tests, though they get no pauses: go test asks what a result that it kept was made of.
		names, err := filepath.Glob(filepath.Join(root, p, "*.go"))
		require.NoError(t, err)
		parsed, texts := map[string]*ast.File{}, map[string][]byte{}
		words, places := map[string]bool{}, 0
		for _, file := range names {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			texts[file] = []byte(mutant.Replace(string(text)))
			parsed[file], err = parser.ParseFile(files, file, texts[file], 0)
			require.NoError(t, err)
			addWords(words, parsed[file])
		}
		for _, file := range names {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, n := withPauses(files, parsed[file], texts[file], words)
			if places += n; n > 0 {
				replace[file] = filepath.Join(dir, p+"_"+filepath.Base(file))
				require.NoError(t, os.WriteFile(replace[file], text, 0o600))
			}
		}
		assert.Positive(t, places, p)
		t.Logf("%s: %d pauses", p, places)
	}
	replace[filepath.Join(root, "internal/preempt/pause.go")] =
		filepath.Join(root, "internal/preempt/pause_test.go")
	replace[filepath.Join(root, "uid/steps_test.go")] =
		filepath.Join(root, "internal/preempt/testdata/steps_test.go")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	name = filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(name, text, 0o600))
	return name
}

// addWords adds the names of fields that are atomic, or locks.
func addWords(words map[string]bool, file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		if f, ok := node.(*ast.Field); ok {
			typ := types.ExprString(f.Type)
			for _, name := range f.Names {
				words[name.Name] = words[name.Name] || strings.HasPrefix(typ, "atomic.") || typ == "sync.Mutex"
			}
		}
		return true
	})
}

// What is followed by a pause: operations on words, with a result or without, and on locks.
var (
	withResult = []string{"Load", "Add", "Swap", "CompareAndSwap"}
	without    = []string{"Store", "Lock", "Unlock"}
)

// withPauses returns a file's text with pauses in it, and how many.
func withPauses(files *token.FileSet, file *ast.File, text []byte, words map[string]bool) (
	paused []byte, n int) {
	insert := map[int]string{}
	at := func(p token.Pos) int { return files.Position(p).Offset }
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.DeferStmt:
			if operation(node.Call, words) == "Unlock" { // the last to be deferred is the first to run
				insert[at(node.Pos())] += "defer preempt.Here(); "
				n++
			}
			_, ok := node.Call.Fun.(*ast.FuncLit)
			return ok // else it is done later
		case *ast.ExprStmt:
			name := operation(node.X, words)
			if slices.Contains(without, name) {
				insert[at(node.End())] += "; preempt.Here()"
				n++
			}
			if name == "Lock" { // few others can go first while it is held
				insert[at(node.Pos())] += "preempt.Here(); "
			}
		case *ast.CallExpr:
			if slices.Contains(withResult, operation(node, words)) {
				insert[at(node.Pos())] += "preempt.After("
				insert[at(node.End())] = ")" + insert[at(node.End())]
				n++
			}
		}
		return true
	})
	if n == 0 {
		return text, 0
	}
	insert[at(file.Name.End())] = `; import "github.com/ringuid/ringuid/internal/preempt"`
	for i, b := range text {
		paused = append(append(paused, insert[i]...), b)
	}
	return paused, n
}

// operation is the method of a word or a lock that is called; "" for all else.
func operation(e ast.Expr, words map[string]bool) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	of := types.ExprString(method.X)
	if !words[of[strings.LastIndex(of, ".")+1:]] {
		return ""
	}
	return method.Sel.Name
}
