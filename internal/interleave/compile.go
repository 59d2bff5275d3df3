package interleave

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Source is the functions of a package by name, and the fields of its structs.
type Source struct {
	funcs   map[string]*ast.FuncDecl
	structs map[string][]string
}

// Read parses the functions of files, after the mutation, if any: old text, which must be there
// once, and new text.
func Read(files []string, mutation ...string) (Source, error) {
	src := Source{map[string]*ast.FuncDecl{}, map[string][]string{}}
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

// note keeps a function, or the names of a struct's fields.
func (src Source) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		src.funcs[n.Name.Name] = n
		return false
	case *ast.TypeSpec:
		if s, ok := n.Type.(*ast.StructType); ok {
			for _, f := range fields(s.Fields) {
				src.structs[n.Name.Name] = append(src.structs[n.Name.Name], f.Names[0].Name)
			}
		}
	}
	return true
}

// Object is what the functions share.
type Object struct {
	// Name is what they call it. What they read and write of it are the world's words, also
	// those that are not atomic, or of its slots: other objects, which are known by numbers.
	Name string
	// Consts are the values of names, and of fields that are never written, as in "r.size".
	Consts map[string]uint64
}

// value is what an expression came to: a register, or one for each field of a
// struct.
type value struct {
	at  int
	typ string
}

// compiler turns one function, and all that it calls, into straight code.
type compiler struct {
	Source
	Object
	code   Code
	top    int // registers in use
	most   int
	scopes []map[string]value
	calls  []frame
}

type frame struct {
	results []value
	ends    []int // jumps to the function's end
}

// Compile makes the code of a function.
func (src Source) Compile(name string, o Object) Code {
	c := &compiler{Source: src, Object: o}
	f := src.funcs[name]
	var args []value
	for range fields(f.Type.Params) {
		args = append(args, c.alloc("uint64"))
	}
	results := c.inline(f, value{}, args)
	for i, r := range results {
		c.emit(Step{Op: move, dst: resultsAt + i, A: r.at})
	}
	c.emit(Step{Op: leave})
	if c.most > resultsAt {
		panic(fmt.Sprintf("%s needs %d registers", name, c.most))
	}
	findNeeded(c.code)
	return c.code
}

func fields(list *ast.FieldList) (all []ast.Field) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		one := ast.Field{Type: f.Type}
		if len(f.Names) == 0 {
			all = append(all, one)
		}
		for _, n := range f.Names {
			one.Names = []*ast.Ident{n}
			all = append(all, one)
		}
	}
	return all
}

func typeName(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func (c *compiler) emit(i Step) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

func (c *compiler) land(jumps ...int) {
	for _, j := range jumps {
		c.code[j].value = uint64(len(c.code))
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
		c.emit(Step{Op: move, dst: dst.at + i, A: from.at + i})
	}
}

func (c *compiler) name(name string, v value) { c.scopes[len(c.scopes)-1][name] = v }

func (c *compiler) lookup(name string) value {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if v, ok := c.scopes[i][name]; ok {
			return v
		}
		if _, ok := c.scopes[i]["func"]; ok {
			break
		}
	}
	panic("unknown name " + name)
}

// inline makes the code of a call. Its results stay allocated; all else that it
// needs is released.
func (c *compiler) inline(f *ast.FuncDecl, receiver value, args []value) []value {
	var results []value
	scope := map[string]value{"func": {}}
	for _, r := range fields(f.Type.Results) {
		v := c.alloc(typeName(r.Type))
		results = append(results, v)
		for k := range c.width(v.typ) {
			c.emit(Step{Op: constant, dst: v.at + k})
		}
		if len(r.Names) > 0 {
			scope[r.Names[0].Name] = v
		}
	}
	top := c.top
	if recv := fields(f.Recv); len(recv) > 0 && receiver.typ != "" {
		scope[recv[0].Names[0].Name] = receiver
	}
	for i, p := range fields(f.Type.Params) { // a copy: a function may change its arguments
		v := c.alloc(args[i].typ)
		c.copyTo(v, args[i])
		scope[p.Names[0].Name] = v
	}
	c.scopes = append(c.scopes, scope)
	c.calls = append(c.calls, frame{results: results})
	c.block(f.Body.List)
	c.land(c.calls[len(c.calls)-1].ends...)
	c.calls = c.calls[:len(c.calls)-1]
	c.scopes = c.scopes[:len(c.scopes)-1]
	c.top = top
	return results
}

func number(lit string) uint64 {
	n, err := strconv.ParseUint(lit, 0, 64)
	if err != nil {
		panic(err)
	}
	return n
}
