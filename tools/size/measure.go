package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// sum is how large a file is, or several.
type sum struct {
	lines, tests int      // of Go
	names        int      // exported, in what users import
	tagged       int      // modules that get a version
	untagged     int      // the others
	flags        int      // of uidbench
	docs         int      // lines of documentation in English
	long         []string // lines with too many columns, as file:line
}

func (s *sum) add(t sum) {
	s.lines += t.lines
	s.tests += t.tests
	s.names += t.names
	s.tagged += t.tagged
	s.untagged += t.untagged
	s.flags += t.flags
	s.docs += t.docs
	s.long = append(s.long, t.long...)
}

// tracked is all files in git, but for those that were deleted and not yet committed.
func tracked(root string) ([]string, error) {
	git := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	git.Dir = root
	git.Stderr = os.Stderr
	out, err := git.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	files := strings.Split(strings.Trim(string(out), "\x00"), "\x00")
	return slices.DeleteFunc(files, func(f string) bool {
		_, err := os.Lstat(filepath.Join(root, f))
		return err != nil
	}), nil
}

// aFlag is where uidbench binds one.
var aFlag = regexp.MustCompile(
	`\.(Bool|Count|Duration|Float64|Int|Int64|String|StringSlice|Text|Uint64)?VarP?\(&|` +
		`\.VarP?\(|\b(oneOf|someOf)\(`)

// untagged are the modules that nobody requires. scripts/modules.sh has them too.
var untagged = []string{
	"tools", "examples", "bench/rivals", "bench/keys",
	"internal/docs", "internal/moduleproxy", "worker/sqlstore/integration",
}

func measure(root, file string) (s sum, err error) {
	base := filepath.Base(file)
	switch {
	case base == "go.mod" && !strings.Contains(file, "testdata/"):
		if slices.Contains(untagged, filepath.Dir(file)) {
			return sum{untagged: 1}, nil
		}
		return sum{tagged: 1}, nil
	case isPage(file):
		text, err := os.ReadFile(filepath.Join(root, file))
		return sum{docs: bytes.Count(text, []byte("\n"))}, err
	case filepath.Ext(base) != ".go":
		return s, nil
	}
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return s, err
	}
	s.long = longLines(file, string(text))
	n := bytes.Count(text, []byte("\n"))
	if strings.HasSuffix(base, "_test.go") {
		s.tests = n
		return s, nil
	}
	s.lines = n
	if filepath.Dir(file) == "cmd/uidbench" {
		s.flags = len(aFlag.FindAll(text, -1))
	}
	if slices.Contains(users, filepath.ToSlash(filepath.Dir(file))) {
		s.names, err = exported(filepath.Join(root, file), text)
	}
	return s, err
}

// longLines names those with too many columns, but for what stands between backquotes, which is
// text and no Go.
func longLines(file, text string) (long []string) {
	raw := false
	for i, line := range strings.Split(text, "\n") {
		ticks := strings.Count(line, "`")
		if utf8.RuneCountInString(line) > columns && !raw && ticks == 0 {
			long = append(long, fmt.Sprintf("%s:%d", file, i+1))
		}
		if ticks%2 == 1 {
			raw = !raw
		}
	}
	return long
}

// isPage reports whether a file is documentation in English.
func isPage(file string) bool {
	return strings.HasPrefix(file, "docs/") && strings.HasSuffix(file, ".md") &&
		!strings.HasSuffix(file, ".zh_cn.md")
}

// exported counts the exported names of a file, with the methods and fields of exported types.
func exported(name string, text []byte) (n int, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || receiver(d.Recv).IsExported()) {
				n++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				n += exportedBy(spec)
			}
		}
	}
	return n, nil
}

func exportedBy(spec ast.Spec) (n int) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		return countExported(spec.Names)
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return 0
		}
		n = 1
		switch t := spec.Type.(type) {
		case *ast.StructType:
			for _, field := range t.Fields.List {
				n += countExported(field.Names)
			}
		case *ast.InterfaceType:
			for _, method := range t.Methods.List {
				n += countExported(method.Names)
			}
		}
	}
	return n
}

func countExported(names []*ast.Ident) (n int) {
	for _, name := range names {
		if name.IsExported() {
			n++
		}
	}
	return n
}

// receiver is the name of the type that a method belongs to.
func receiver(fields *ast.FieldList) *ast.Ident {
	t := fields.List[0].Type
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.Ident:
			return u
		default:
			return ast.NewIdent("_")
		}
	}
}
