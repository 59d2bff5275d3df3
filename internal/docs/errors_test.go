package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// errorPackages are those whose errors the user of a generator can meet. Errors of
// uid are named without their package.
var errorPackages = []string{
	"uid", "worker", "worker/sqlstore", "worker/redisstore", "worker/zkstore", "worker/etcdstore", "worker/memstore", "bench", "padding",
}

// sentinels are the exported errors of a package, as its users write them.
func sentinels(t *testing.T, dir string) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, dir)
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR || strings.HasSuffix(path, "_test.go") {
				continue
			}
			for _, s := range vars.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					if strings.HasPrefix(id.Name, "Err") {
						all = append(all, strings.TrimPrefix(file.Name.Name+".", "uid.")+id.Name)
					}
				}
			}
		}
	}
	return all
}

func TestEveryErrorIsExplained(t *testing.T) {
	there := map[string]bool{}
	for _, dir := range errorPackages {
		for _, name := range sentinels(t, dir) {
			there[name] = true
		}
	}
	require.Greater(t, len(there), 20)

	explained := map[string]bool{}
	name := regexp.MustCompile(`^(\w+\.)?Err\w+$`)
	for _, s := range readPage(t, "docs/operations.md").sections {
		for _, table := range s.tables {
			for _, row := range table[1:] {
				for _, cell := range row {
					for _, code := range cell.spans {
						if name.MatchString(code.text) {
							explained[code.text] = true
							assert.True(t, there[code.text], "docs/operations.md:%d: there is no error %s", code.line, code.text)
						}
					}
				}
			}
		}
	}
	for name := range there {
		assert.True(t, explained[name], "docs/operations.md does not say what %s means and what to do", name)
	}
}

func TestEveryAlertIsExplained(t *testing.T) {
	rules, err := os.ReadFile(filepath.Join(root, "metrics", "grafana", "alerts.yaml"))
	require.NoError(t, err)
	alerts := regexp.MustCompile(`(?m)^ *- alert: (\w+)$`).FindAllStringSubmatch(string(rules), -1)
	require.NotEmpty(t, alerts)
	page, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	require.NoError(t, err)
	for _, a := range alerts {
		assert.Contains(t, string(page), "| `"+a[1]+"` |", "docs/operations.md does not say what this alert means and what to do")
	}
}
