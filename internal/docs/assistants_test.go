package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exports are the exported names of a package: Name, and Type.Member of methods and
// fields.
type exports map[string]bool

// exported are those of the packages of this module that others can import, by the
// packages' names.
func exported(t *testing.T) map[string]exports {
	t.Helper()
	all := map[string]exports{}
	require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata" || d.Name() == "examples" || strings.HasPrefix(d.Name(), ".") && file != root):
			return fs.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if all[tree.Name.Name] == nil {
			all[tree.Name.Name] = exports{}
		}
		for _, d := range tree.Decls {
			all[tree.Name.Name].add(d)
		}
		return nil
	}))
	return all
}

func (e exports) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			e[d.Name.Name] = true
			return
		}
		of := d.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if name, ok := of.(*ast.Ident); ok {
			e[name.Name+"."+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					e[name.Name] = true
				}
			case *ast.TypeSpec:
				e[s.Name.Name] = true
				e.addMembers(s)
			}
		}
	}
}

// addMembers adds the fields of a struct, or the methods of an interface.
func (e exports) addMembers(s *ast.TypeSpec) {
	var members *ast.FieldList
	switch of := s.Type.(type) {
	case *ast.StructType:
		members = of.Fields
	case *ast.InterfaceType:
		members = of.Methods
	default:
		return
	}
	for _, m := range members.List {
		for _, name := range m.Names {
			e[s.Name.Name+"."+name.Name] = true
		}
	}
}

// has reports whether a package exports a name: Name, or Type.Member.
func (e exports) has(name string) bool { return e[name] }

// hasMember reports whether any type of the package has a field or method of that name.
func (e exports) hasMember(name string) bool {
	for n := range e {
		if strings.HasSuffix(n, "."+name) {
			return true
		}
	}
	return false
}

var (
	// qualified is pkg.Name or pkg.Type.Member, as in Go code.
	qualified = regexp.MustCompile(`\b([a-z]\w*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)`)
	// member is a name without its package.
	member = regexp.MustCompile(`^[A-Z][a-z]\w*$|^GetUID\w*$`)
)

// unknown are the identifiers in code that no package exports. A name behind a variable,
// as in gen.Close, is a member of some type of uid.
func unknown(code string, packages map[string]exports) (all []string) {
	for _, m := range qualified.FindAllStringSubmatch(code, -1) {
		p, ours := packages[m[1]]
		switch {
		case ours && !p.has(m[2]):
			all = append(all, m[0])
		case !ours && !standard[m[1]] && !packages["uid"].hasMember(m[2]):
			all = append(all, m[0])
		}
	}
	if member.MatchString(code) && !packages["uid"].has(code) && !packages["uid"].hasMember(code) && !packages["worker"].hasMember(code) && !packages["store"].hasMember(code) && !packages["sqlstore"].hasMember(code) {
		all = append(all, code)
	}
	return all
}

// standard are packages of Go's own that llms.txt names.
var standard = map[string]bool{"sql": true, "errors": true}

func TestAssistantsAreToldNamesThatExist(t *testing.T) {
	packages := exported(t)
	require.Contains(t, packages, "uid")
	require.Greater(t, len(packages["uid"]), 200)
	names := 0
	look := func(code string, line int) {
		names += len(qualified.FindAllString(code, -1))
		assert.Empty(t, unknown(code, packages), "llms.txt:%d", line)
	}
	for _, s := range readPage(t, "llms.txt").sections {
		for _, w := range s.all() {
			for _, code := range w.spans {
				look(code.text, code.line)
			}
		}
		for _, b := range s.blocks {
			look(b.text, b.line)
		}
	}
	assert.Greater(t, names, 40)
}

func TestAssistantsAreToldTenFacts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "llms.txt"))
	require.NoError(t, err)
	assert.Len(t, regexp.MustCompile(`(?m)^\d+\. `).FindAllString(string(text), -1), 10)
	assert.Regexp(t, `^# ringuid\n\n> `, string(text), "llmstxt.org: a heading, then what it is about")
}

func TestNamesThatNoPackageExportsAreFound(t *testing.T) {
	packages := exported(t)
	for code, missing := range map[string]string{
		"uid.NewCached": "", "uid.Config.Relaxed": "", "gen.GetUID()": "", "sql.Null[uid.ID]": "",
		"GetUIDContext": "", "Init": "", "worker.Claim.Slack": "", "uid.Generator.Close": "", "errors.Is": "",
		"uid.Missing": "uid.Missing", "uid.Config.Missing": "uid.Config.Missing", "gen.Missing()": "gen.Missing",
		"GetUIDs": "GetUIDs", "Missing": "Missing", "uid.config": "", "worker.NewCached": "worker.NewCached",
	} {
		assert.Equal(t, missing, strings.Join(unknown(code, packages), " "), code)
	}
}
