package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A test that does less under the race detector is one that make test runs without it.
func TestWhatTheRaceDetectorLeavesOutIsRunWithoutIt(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	setting := func(name string) string {
		found := regexp.MustCompile(`(?m)^` + name + ` +:= (.*)$`).FindSubmatch(makefile)
		require.NotNil(t, found, "%s in the Makefile", name)
		return string(found[1])
	}
	packages, names := strings.Fields(setting("COUNTED")), regexp.MustCompile(setting("COUNTS"))
	slower := testsThatAskForRace(t, "../..")
	assert.NotEmpty(t, slower)
	for dir, tests := range slower {
		assert.Contains(t, packages, dir, "COUNTED in the Makefile")
		for _, name := range tests {
			assert.Regexp(t, names, name, "COUNTS in the Makefile")
		}
	}
	for _, dir := range packages {
		assert.Contains(t, slower, dir, "COUNTED in the Makefile: no test there asks for the race detector")
	}
}

// testsThatAskForRace are those that use internal/race, or a function of their package's
// tests that does, by folder.
func testsThatAskForRace(t *testing.T, root string) map[string][]string {
	calls := map[string]map[string][]string{} // what each function names, by folder
	require.NoError(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := "./" + filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), filepath.FromSlash(root+"/")))
		if calls[dir] == nil {
			calls[dir] = map[string][]string{}
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				calls[dir][f.Name.Name] = named(f)
			}
		}
		return nil
	}))
	tests := map[string][]string{}
	for dir, functions := range calls {
		for name, uses := range functions {
			asks := slices.Contains(uses, "race.")
			for _, used := range uses {
				asks = asks || slices.Contains(functions[used], "race.")
			}
			if asks && strings.HasPrefix(name, "Test") {
				tests[dir] = append(tests[dir], name)
			}
		}
	}
	return tests
}

// named are the identifiers in a function; "race." stands for the package.
func named(f *ast.FuncDecl) (all []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "race" {
				all = append(all, "race.")
			}
		case *ast.Ident:
			all = append(all, n.Name)
		}
		return true
	})
	return all
}
