package main

import (
	"bytes"
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

// sum is how much Go a part has.
type sum struct {
	lines, tests int
	names        int // exported, in what users import
}

// sizes are those of the repository.
type sizes struct {
	root    string
	rooms   map[*room]*sum
	all     sum
	modules int
	tagged  int      // modules that get a version
	flags   int      // of uidbench
	docs    int      // lines of documentation in English
	long    []string // lines with too many columns, as file:line
}

// measure reads all files in git, except those that were deleted and not yet committed.
func measure(root string) (*sizes, error) {
	s := &sizes{root: root, rooms: map[*room]*sum{}}
	out, err := s.output("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for file := range strings.SplitSeq(strings.Trim(out, "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = s.add(file, text)
		}
		if err != nil {
			return nil, err
		}
	}
	tagged, err := s.output("scripts/modules.sh", "--tagged")
	s.tagged = len(strings.Fields(tagged))
	return s, err
}

// output runs a program in the repository, and returns what it prints.
func (s *sizes) output(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = s.root, os.Stderr
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", c, err)
	}
	return string(out), err
}

// aFlag matches where uidbench binds a flag, as in flags.StringVar(&f.url, "store"...
var aFlag = regexp.MustCompile(`\.[A-Za-z0-9]*VarP?\(`)

func (s *sizes) add(file string, text []byte) error {
	lines, dir := bytes.Count(text, []byte("\n")), filepath.ToSlash(filepath.Dir(file))
	switch {
	case filepath.Base(file) == "go.mod" && !strings.Contains(file, "testdata/"):
		s.modules++
	case isPage(file):
		s.docs += lines
	}
	if filepath.Ext(file) != ".go" {
		return nil
	}
	s.findLong(file, string(text))
	r := roomOf(file)
	if s.rooms[r] == nil {
		s.rooms[r] = &sum{}
	}
	if strings.HasSuffix(file, "_test.go") {
		s.rooms[r].tests += lines
		s.all.tests += lines
		return nil
	}
	s.rooms[r].lines += lines
	s.all.lines += lines
	if dir == "cmd/uidbench" {
		s.flags += len(aFlag.FindAll(text, -1))
	}
	if !r.imported || r.name != dir {
		return nil
	}
	names, err := exported(file, text)
	s.rooms[r].names += names
	s.all.names += names
	return err
}

// findLong notes lines with too many columns, except for what stands between backquotes, which
// is text and not Go.
func (s *sizes) findLong(file, text string) {
	raw := false
	for i, line := range strings.Split(text, "\n") {
		ticks := strings.Count(line, "`")
		if utf8.RuneCountInString(line) > columns && !raw && ticks == 0 {
			s.long = append(s.long, fmt.Sprintf("%s:%d", file, i+1))
		}
		if ticks%2 == 1 {
			raw = !raw
		}
	}
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
	ast.FileExports(f)
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl: // perhaps a method of a type that is not exported
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
		case *ast.Field: // of a struct, or a method of an interface
			n += len(node.Names)
			return false
		case *ast.FuncType: // what has parameters
			return false
		}
		return true
	})
	return n, nil
}
