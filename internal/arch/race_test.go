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

// A test that does less under the race detector is one that make test, or make
// test-kubernetes, runs without it.
func TestWhatTheRaceDetectorLeavesOutIsRunWithoutIt(t *testing.T) {
	packages, names := strings.Fields(setting(t, "COUNTED")), regexp.MustCompile(setting(t, "COUNTS")+"|"+setting(t, "CLUSTERED"))
	slower := testsThatAskForRace(t, "../..")
	assert.NotEmpty(t, slower)
	for dir, tests := range slower {
		assert.Contains(t, packages, dir, "COUNTED in the Makefile")
		for _, name := range tests {
			assert.Regexp(t, names, name, "COUNTS, or CLUSTERED, in the Makefile")
		}
	}
	for _, dir := range packages {
		assert.Contains(t, slower, dir, "COUNTED in the Makefile: no test there asks for the race detector")
	}
}

// What make test leaves out by its name, since it needs a Kubernetes, test-kubernetes runs.
func TestWhatIsLeftOutByItsNameIsRunElsewhere(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	found := regexp.MustCompile(`-run '\$\(CLUSTERED\)' (.*) \\`).FindSubmatch(makefile)
	require.NotNil(t, found, "test-kubernetes in the Makefile")
	packages, names := strings.Fields(string(found[1])), regexp.MustCompile(setting(t, "CLUSTERED"))
	var needed []string
	for dir, functions := range functionsOfTests(t, "../..") {
		if strings.HasPrefix(dir, "./worker/k8sstore") { // it is run whole
			continue
		}
		for name := range functions {
			if strings.HasPrefix(name, "Test") && names.MatchString(name) {
				needed = append(needed, dir)
				break
			}
		}
	}
	assert.ElementsMatch(t, packages, needed)
}

// setting is a variable of the Makefile.
func setting(t *testing.T, name string) string {
	t.Helper()
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^` + name + ` +:= (.*)$`).FindSubmatch(makefile)
	require.NotNil(t, found, "%s in the Makefile", name)
	return string(found[1])
}

// testsThatAskForRace are those that use internal/race, or a function of their package's
// tests that does, by folder.
func testsThatAskForRace(t *testing.T, root string) map[string][]string {
	tests := map[string][]string{}
	for dir, functions := range functionsOfTests(t, root) {
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

// functionsOfTests are those of files of tests, by folder and name, with what each names.
func functionsOfTests(t *testing.T, root string) map[string]map[string][]string {
	calls := map[string]map[string][]string{}
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
	return calls
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
