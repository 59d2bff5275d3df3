package interleave

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// Source is the functions of a package by name, and the fields of its structs.
type Source struct {
	funcs   map[string]*ast.FuncDecl
	structs map[string][]field
}

// Read parses the functions of files, after the mutation, if any: old text, which must be there
// once, and new text.
func Read(files []string, mutation ...string) (Source, error) {
	src := Source{map[string]*ast.FuncDecl{}, map[string][]field{}}
	found := 0
	for _, name := range files {
		text, err := os.ReadFile(filepath.Clean(name))
		if err != nil {
			return src, err
		}
		code := string(text)
		if len(mutation) == 2 {
			found += strings.Count(code, mutation[0])
			code = strings.Replace(code, mutation[0], mutation[1], 1)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, code, 0)
		if err != nil {
			return src, err
		}
		ast.Inspect(file, src.note)
	}
	if len(mutation) == 2 && found != 1 {
		return src, fmt.Errorf("the mutant's old text is in the source %d times, want once:\n%s", found,
			mutation[0])
	}
	return src, nil
}

// note keeps a function, or the fields of a struct.
func (src Source) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		src.funcs[n.Name.Name] = n
		return false
	case *ast.TypeSpec:
		if s, ok := n.Type.(*ast.StructType); ok {
			src.structs[n.Name.Name] = fields(s.Fields)
		}
	}
	return true
}

// field is one of a struct, a parameter, or a result, which may have no name.
type field struct{ name, typ string }

func fields(list *ast.FieldList) (all []field) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		typ := types.ExprString(f.Type)
		if len(f.Names) == 0 {
			all = append(all, field{"", typ})
		}
		for _, n := range f.Names {
			all = append(all, field{n.Name, typ})
		}
	}
	return all
}

// Object is what the functions share.
type Object struct {
	// Name is what they call it. What they read and write of it are the world's words, also
	// those that are not atomic, or of its slots: other objects, which are known by numbers.
	Name string
	// Consts are the values of names, and of fields that are never written, as in "r.size".
	Consts map[string]uint64
}

// value is what an expression came to: a register, or one for each field of a struct.
type value struct {
	at  int
	typ string
}

// compiler turns one function, and all that it calls, into straight code.
type compiler struct {
	Source
	Object
	call
	code Code
	top  int // registers in use
	most int
}

// call is of the function whose code is being made.
type call struct {
	scopes  []map[string]value
	results []value
	ends    []int // branches to the function's end
}

// Compile makes the code of a function.
func (src Source) Compile(name string, o Object) Code {
	c := &compiler{Source: src, Object: o, top: 1}
	f := src.funcs[name]
	var args, results []value
	for range fields(f.Type.Params) {
		args = append(args, c.alloc("uint64"))
	}
	for i := range fields(f.Type.Results) {
		results = append(results, value{resultsAt + i, "uint64"})
	}
	c.inline(f, value{}, args, results)
	c.emit(Step{Op: leave})
	if c.most > resultsAt {
		panic(fmt.Sprintf("%s needs %d registers", name, c.most))
	}
	findNeeded(c.code)
	return c.code
}

func (c *compiler) emit(i Step) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

// land has branches go to the next step.
func (c *compiler) land(branches ...int) {
	for _, b := range branches {
		c.code[b].to = len(c.code)
	}
}

// width is how many registers a value of the type takes.
func (src Source) width(typ string) int { return max(1, len(src.structs[typ])) }

func (c *compiler) alloc(typ string) value {
	v := value{c.top, typ}
	c.top += c.width(typ)
	c.most = max(c.most, c.top)
	return v
}

func (c *compiler) copyTo(dst, from value) {
	for i := range c.width(dst.typ) {
		c.emit(Step{Op: calculate, dst: dst.at + i, A: from.at + i, of: operators["+"]})
	}
}

func (c *compiler) clear(v value) {
	for i := range c.width(v.typ) {
		c.emit(Step{Op: calculate, dst: v.at + i, of: operators["+"]})
	}
}

// inner is the innermost scope.
func (c *compiler) inner() map[string]value { return c.scopes[len(c.scopes)-1] }

func (c *compiler) lookup(name string) value {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if v, ok := c.scopes[i][name]; ok {
			return v
		}
	}
	panic("unknown name " + name)
}

// inline makes the code of a call, and releases all that it needs but the results.
func (c *compiler) inline(f *ast.FuncDecl, receiver value, args, results []value) {
	caller, top := c.call, c.top
	c.call = call{scopes: []map[string]value{{}}, results: results}
	for i, r := range fields(f.Type.Results) {
		c.clear(results[i])
		c.inner()[r.name] = results[i]
	}
	for _, r := range fields(f.Recv) {
		c.inner()[r.name] = receiver
	}
	for i, p := range fields(f.Type.Params) { // a copy: a function may change its arguments
		v := c.alloc(args[i].typ)
		c.copyTo(v, args[i])
		c.inner()[p.name] = v
	}
	for _, s := range f.Body.List {
		c.stmt(s)
	}
	c.land(c.ends...)
	c.call, c.top = caller, top
}
