package interleave

import (
	"fmt"
	"go/ast"
	"go/token"
)

// block makes the code of statements in a scope of their own.
func (c *compiler) block(list []ast.Stmt) {
	top := c.top
	c.scopes = append(c.scopes, map[string]value{})
	for _, s := range list {
		c.stmt(s)
	}
	c.scopes = c.scopes[:len(c.scopes)-1]
	c.top = top
}

func (c *compiler) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		top := c.top
		c.exprs(s.X)
		c.top = top
	case *ast.AssignStmt:
		c.assign(s)
	case *ast.IfStmt:
		c.ifStmt(s)
	case *ast.ForStmt:
		c.forStmt(s)
	case *ast.ReturnStmt:
		c.returnStmt(s)
	default:
		panic(fmt.Sprintf("the model does not know the statement %T", s))
	}
}

func (c *compiler) assign(s *ast.AssignStmt) {
	if c.assignWord(s) {
		return
	}
	if s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		top := c.top
		dst, by := c.expr(s.Lhs[0]), c.expr(s.Rhs[0])
		c.calculate(s.Tok+(token.ADD-token.ADD_ASSIGN), dst, dst, by)
		c.top = top
		return
	}
	// What is new lies below what is needed on the way to it.
	top := c.top
	names := make([]value, len(s.Lhs))
	types := c.types(s)
	fresh := map[string]value{}
	for i, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		switch {
		case ok && s.Tok == token.DEFINE && !c.here(id.Name):
			names[i] = c.alloc(types[i])
			fresh[id.Name] = names[i]
			top = c.top
		default:
			names[i] = c.expr(l)
		}
	}
	var from []value
	for _, e := range s.Rhs {
		from = append(from, c.exprs(e)...)
	}
	for i, v := range from {
		c.copyTo(names[i], v)
	}
	for n, v := range fresh {
		c.name(n, v)
	}
	c.top = top
}

// assignWord makes the code of an assignment to a word that is not atomic.
func (c *compiler) assignWord(s *ast.AssignStmt) bool {
	to, ok := s.Lhs[0].(*ast.SelectorExpr)
	if !ok {
		return false
	}
	slot, ok := c.slot(to.X.(*ast.Ident).Name)
	if !ok {
		return false
	}
	if s.Tok != token.ASSIGN || len(s.Lhs) > 1 {
		panic("the model knows an assignment to one word, with =")
	}
	top := c.top
	c.emit(Step{Op: Store, Word: to.Sel.Name, Slot: slot, A: c.expr(s.Rhs[0]).at})
	c.top = top
	return true
}

// here reports whether := would assign to a name rather than make it.
func (c *compiler) here(name string) bool {
	if _, ok := c.scopes[len(c.scopes)-1][name]; ok {
		return true
	}
	n := len(c.scopes) - 2 // a function's arguments and results are in the scope of its body
	_, function := c.scopes[n]["func"]
	_, ok := c.scopes[n][name]
	return function && ok
}

// types are those of what an assignment assigns.
func (c *compiler) types(s *ast.AssignStmt) (all []string) {
	for _, e := range s.Rhs {
		if call, ok := e.(*ast.CallExpr); ok {
			if f := c.callee(call); f != nil {
				for _, r := range fields(f.Type.Results) {
					all = append(all, typeName(r.Type))
				}
				continue
			}
		}
		all = append(all, "uint64")
	}
	return all
}

func (c *compiler) ifStmt(s *ast.IfStmt) {
	if s.Else != nil {
		panic("the model does not know else")
	}
	top := c.top
	c.scopes = append(c.scopes, map[string]value{})
	if s.Init != nil {
		c.stmt(s.Init)
	}
	within := c.top
	otherwise := c.emit(Step{Op: jumpUnless, A: c.expr(s.Cond).at})
	c.top = within
	c.block(s.Body.List)
	c.land(otherwise)
	c.scopes = c.scopes[:len(c.scopes)-1]
	c.top = top
}

func (c *compiler) forStmt(s *ast.ForStmt) {
	if s.Init != nil || s.Cond != nil || s.Post != nil {
		panic("the model knows endless loops alone")
	}
	begin := len(c.code)
	c.block(s.Body.List)
	c.emit(Step{Op: jump, value: uint64(begin)})
}

func (c *compiler) returnStmt(s *ast.ReturnStmt) {
	top := c.top
	var from []value
	for _, e := range s.Results {
		from = append(from, c.exprs(e)...)
	}
	f := &c.calls[len(c.calls)-1]
	for i, v := range from {
		c.copyTo(f.results[i], v)
	}
	c.top = top
	f.ends = append(f.ends, c.emit(Step{Op: jump}))
}
