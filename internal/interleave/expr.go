package interleave

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

func (c *compiler) expr(e ast.Expr) value {
	all := c.exprs(e)
	if len(all) != 1 {
		panic(fmt.Sprintf("the model wants one value of a %T", e))
	}
	return all[0]
}

// exprs makes the code of an expression, which a call alone has several values of.
func (c *compiler) exprs(e ast.Expr) []value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.exprs(e.X)
	case *ast.BasicLit:
		return []value{c.constant(number(e.Value))}
	case *ast.Ident:
		if v, ok := c.Consts[e.Name]; ok {
			return []value{c.constant(v)}
		}
		return []value{c.lookup(e.Name)}
	case *ast.SelectorExpr:
		return []value{c.selector(e)}
	case *ast.UnaryExpr:
		return []value{c.unary(e)}
	case *ast.BinaryExpr:
		return []value{c.binary(e)}
	case *ast.CompositeLit:
		if len(e.Elts) > 0 {
			panic("the model knows the zero value of a struct alone")
		}
		v := c.alloc(typeName(e.Type))
		for i := range c.width(v.typ) {
			c.emit(Step{Op: constant, dst: v.at + i})
		}
		return []value{v}
	case *ast.CallExpr:
		return c.call(e)
	}
	panic(fmt.Sprintf("the model does not know the expression %T", e))
}

func (c *compiler) constant(n uint64) value {
	v := c.alloc("uint64")
	c.emit(Step{Op: constant, dst: v.at, value: n})
	return v
}

// selector is a constant, a word of the object or of a slot, or a field of a struct.
func (c *compiler) selector(e *ast.SelectorExpr) value {
	x := e.X.(*ast.Ident).Name
	if n, ok := c.Consts[x+"."+e.Sel.Name]; ok {
		return c.constant(n)
	}
	slot, ok := c.slot(x)
	if !ok {
		v := c.lookup(x)
		return value{v.at + slices.Index(c.structs[v.typ], e.Sel.Name), "uint64"}
	}
	v := c.alloc("uint64")
	c.emit(Step{Op: Load, Word: e.Sel.Name, Slot: slot, dst: v.at})
	return v
}

// slot returns a Step's Slot for words of what has this name; false for a struct.
func (c *compiler) slot(name string) (slot int, ok bool) {
	if name == c.Name {
		return -1, true
	}
	v := c.lookup(name)
	return v.at, len(c.structs[v.typ]) == 0
}

func (c *compiler) unary(e *ast.UnaryExpr) value {
	switch e.Op {
	case token.SUB:
		return c.constant(-number(e.X.(*ast.BasicLit).Value))
	case token.NOT:
		x, v := c.expr(e.X), c.alloc("uint64")
		c.emit(Step{Op: not, dst: v.at, A: x.at})
		return v
	}
	panic("the model does not know " + e.Op.String())
}

func (c *compiler) binary(e *ast.BinaryExpr) value {
	v := c.alloc("uint64")
	top := c.top
	x := c.expr(e.X)
	if e.Op == token.LAND || e.Op == token.LOR {
		c.emit(Step{Op: move, dst: v.at, A: x.at})
		c.top = top
		op := jumpIf
		if e.Op == token.LAND {
			op = jumpUnless
		}
		decided := c.emit(Step{Op: op, A: v.at})
		y := c.expr(e.Y)
		c.emit(Step{Op: move, dst: v.at, A: y.at})
		c.top = top
		c.land(decided)
		return v
	}
	y := c.expr(e.Y)
	c.calculate(e.Op, v, x, y)
	c.top = top
	return v
}

// calculate makes the code of v = x op y.
func (c *compiler) calculate(op token.Token, v, x, y value) {
	of, ok := operators[op]
	if !ok {
		panic("the model does not know the operator " + op.String())
	}
	c.emit(Step{Op: binary, of: of, dst: v.at, A: x.at, B: y.at})
}

// callee is the function of this package that is called, nil when it is none.
func (c *compiler) callee(e *ast.CallExpr) *ast.FuncDecl {
	switch f := e.Fun.(type) {
	case *ast.Ident:
		return c.funcs[f.Name]
	case *ast.SelectorExpr:
		if _, ok := f.X.(*ast.Ident); ok {
			return c.funcs[f.Sel.Name]
		}
	}
	return nil
}

func (c *compiler) call(e *ast.CallExpr) []value {
	if f := c.callee(e); f != nil {
		return c.callOf(f, e)
	}
	switch f := e.Fun.(type) {
	case *ast.ParenExpr: // (*slot)(x)
		return []value{c.expr(e.Args[0])}
	case *ast.Ident:
		switch f.Name {
		case "uint64", "int64", "int":
			return []value{c.expr(e.Args[0])}
		case "min", "max":
			v := c.alloc("uint64")
			a, b := c.expr(e.Args[0]), c.expr(e.Args[1])
			of := map[string]func(a, b uint64) uint64{
				"min": func(a, b uint64) uint64 { return min(a, b) },
				"max": func(a, b uint64) uint64 { return max(a, b) },
			}[f.Name]
			c.emit(Step{Op: binary, of: of, dst: v.at, A: a.at, B: b.at})
			c.top = v.at + 1
			return []value{v}
		}
	case *ast.SelectorExpr:
		if word, ok := f.X.(*ast.SelectorExpr); ok {
			return c.atomic(f.Sel.Name, word, e.Args)
		}
		if f.Sel.Name == "Add" { // unsafe.Add(r.slots, x): a slot is known by its number
			v := c.alloc("uint64")
			x, by := c.expr(e.Args[1]), c.constant(c.Consts["slotBits"])
			c.calculate(token.SHR, v, x, by)
			c.top = v.at + 1
			return []value{v}
		}
	}
	panic(fmt.Sprintf("the model does not know the call of %v", e.Fun))
}

func (c *compiler) callOf(f *ast.FuncDecl, e *ast.CallExpr) []value {
	var receiver value
	if sel, ok := e.Fun.(*ast.SelectorExpr); ok && sel.X.(*ast.Ident).Name != c.Name {
		receiver = value{c.expr(sel.X).at, "*slot"}
	}
	var results []value
	for _, r := range fields(f.Type.Results) {
		results = append(results, c.alloc(typeName(r.Type)))
	}
	top := c.top
	var args []value
	for _, a := range e.Args {
		args = append(args, c.expr(a))
	}
	for i, r := range c.inline(f, receiver, args) {
		c.copyTo(results[i], r)
	}
	c.top = top
	return results
}

func (c *compiler) atomic(method string, word *ast.SelectorExpr, args []ast.Expr) []value {
	result := c.alloc("uint64")
	top := c.top
	i := Step{Word: word.Sel.Name, Slot: -1, dst: result.at}
	if id, ok := word.X.(*ast.Ident); !ok || id.Name != c.Name {
		i.Slot = c.expr(word.X).at
	}
	var regs [2]int
	for k, a := range args {
		regs[k] = c.expr(a).at
	}
	i.A, i.B = regs[0], regs[1]
	op := slices.Index(Operations[:], method)
	if op < 0 {
		panic("the model does not know the method " + method)
	}
	i.Op = Op(op)
	c.emit(i)
	c.top = top
	return []value{result}
}
