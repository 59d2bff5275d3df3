package interleave

import (
	"fmt"
	"go/ast"
	"go/token"
)

// scoped makes code in a scope of its own.
func (c *compiler) scoped(code func()) {
	top := c.top
	c.scopes = append(c.scopes, map[string]value{})
	code()
	c.scopes = c.scopes[:len(c.scopes)-1]
	c.top = top
}

func (c *compiler) stmt(s ast.Stmt) {
	top := c.top
	switch s := s.(type) {
	case *ast.BlockStmt:
		c.scoped(func() {
			for _, s := range s.List {
				c.stmt(s)
			}
		})
	case *ast.ExprStmt:
		c.exprs(s.X)
		c.top = top
	case *ast.AssignStmt:
		c.assign(s)
	case *ast.IfStmt:
		c.scoped(func() { c.ifStmt(s) })
	case *ast.ForStmt:
		if s.Init != nil || s.Cond != nil || s.Post != nil {
			panic("the model knows endless loops alone")
		}
		begin := len(c.code)
		c.stmt(s.Body)
		c.emit(Step{Op: branch, to: begin})
	case *ast.ReturnStmt:
		for i, v := range c.list(s.Results) {
			c.copyTo(c.results[i], v)
		}
		c.top = top
		c.ends = append(c.ends, c.emit(Step{Op: branch}))
	default:
		panic(fmt.Sprintf("the model does not know the statement %T", s))
	}
}

func (c *compiler) assign(s *ast.AssignStmt) {
	top, from := c.top, s.Rhs
	if s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		op := s.Tok + (token.ADD - token.ADD_ASSIGN)
		from = []ast.Expr{&ast.BinaryExpr{X: s.Lhs[0], Op: op, Y: s.Rhs[0]}}
	}
	values := c.list(from)
	for i, v := range values {
		switch to := s.Lhs[i].(type) {
		case *ast.SelectorExpr:
			if slot, ok := c.slot(to.X.(*ast.Ident).Name); ok { // a word that is not atomic
				c.emit(Step{Op: Store, Word: to.Sel.Name, Slot: slot, A: v.at})
				continue
			}
		case *ast.Ident:
			if _, old := c.inner()[to.Name]; s.Tok == token.DEFINE && !old {
				if v.at < top { // another name's
					v = c.alloc(v.typ)
					c.copyTo(v, values[i])
				}
				c.inner()[to.Name] = v
				continue
			}
		}
		c.copyTo(c.expr(s.Lhs[i]), v)
	}
	if s.Tok != token.DEFINE {
		c.top = top
	}
}

func (c *compiler) ifStmt(s *ast.IfStmt) {
	if s.Else != nil {
		panic("the model does not know else")
	}
	if s.Init != nil {
		c.stmt(s.Init)
	}
	otherwise := c.emit(Step{Op: branch, A: c.expr(s.Cond).at})
	c.stmt(s.Body)
	c.land(otherwise)
}
