package interleave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

func (c *compiler) expr(e ast.Expr) value {
	all := c.exprs(e)
	if len(all) != 1 {
		panic(fmt.Sprintf("the model wants one value of a %T", e))
	}
	return all[0]
}

// list makes the code of expressions, one of which may have several values.
func (c *compiler) list(exprs []ast.Expr) (all []value) {
	for _, e := range exprs {
		all = append(all, c.exprs(e)...)
	}
	return all
}

// exprs makes the code of an expression, which a call alone has several values of. If they are not
// those of names, they are the only new ones.
func (c *compiler) exprs(e ast.Expr) []value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.exprs(e.X)
	case *ast.BasicLit:
		n, err := strconv.ParseUint(e.Value, 0, 64)
		if err != nil {
			panic(err)
		}
		return c.constant(n)
	case *ast.Ident:
		if n, ok := c.Consts[e.Name]; ok {
			return c.constant(n)
		}
		return []value{c.lookup(e.Name)}
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.NOT {
			return c.binary(e.Op.String(), nil, e.X)
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return c.decide(e)
		}
		return c.binary(e.Op.String(), e.X, e.Y)
	case *ast.CompositeLit:
		if len(e.Elts) == 0 { // the zero value of a struct
			v := c.alloc(types.ExprString(e.Type))
			c.clear(v)
			return []value{v}
		}
	case *ast.CallExpr:
		return c.callExpr(e)
	}
	panic("the model does not know the expression " + types.ExprString(e))
}

func (c *compiler) constant(n uint64) []value {
	v := c.alloc("uint64")
	c.emit(Step{Op: calculate, dst: v.at, of: func(_, _ uint64) uint64 { return n }})
	return []value{v}
}

// selector is a constant, a word of the object or of a slot, or a field of a struct.
func (c *compiler) selector(e *ast.SelectorExpr) []value {
	x := e.X.(*ast.Ident).Name
	if n, ok := c.Consts[x+"."+e.Sel.Name]; ok {
		return c.constant(n)
	}
	slot, ok := c.slot(x)
	if !ok {
		v := c.lookup(x)
		at := slices.IndexFunc(c.structs[v.typ], func(f field) bool { return f.name == e.Sel.Name })
		return []value{{v.at + at, "uint64"}}
	}
	v := c.alloc("uint64")
	c.emit(Step{Op: Load, Word: e.Sel.Name, Slot: slot, dst: v.at})
	return []value{v}
}

// slot returns a Step's Slot for words of what has this name; false for a struct.
func (c *compiler) slot(name string) (slot int, ok bool) {
	if name == c.Name {
		return 0, true
	}
	v := c.lookup(name)
	return v.at, len(c.structs[v.typ]) == 0
}

// binary makes the code of an operation; a nil x is 0.
func (c *compiler) binary(op string, x, y ast.Expr) []value {
	of, ok := operators[op]
	if !ok {
		panic("the model does not know the operator " + op)
	}
	v, a := c.alloc("uint64"), value{}
	top := c.top
	if x != nil {
		a = c.expr(x)
	}
	c.emit(Step{Op: calculate, dst: v.at, A: a.at, B: c.expr(y).at, of: of})
	c.top = top
	return []value{v}
}

// decide makes the code of && or ||, whose second operand may not be looked at.
func (c *compiler) decide(e *ast.BinaryExpr) []value {
	v := c.alloc("uint64")
	top := c.top
	c.copyTo(v, c.expr(e.X))
	c.top = top
	decided := v
	if e.Op == token.LOR {
		decided = c.alloc("uint64")
		c.emit(Step{Op: calculate, dst: decided.at, B: v.at, of: operators["!"]})
	}
	end := c.emit(Step{Op: branch, A: decided.at})
	c.copyTo(v, c.expr(e.Y))
	c.land(end)
	c.top = top
	return []value{v}
}

func (c *compiler) callExpr(e *ast.CallExpr) []value {
	switch f := e.Fun.(type) {
	case *ast.ParenExpr: // (*slot)(x)
		return c.exprs(e.Args[0])
	case *ast.Ident:
		switch callee := c.funcs[f.Name]; {
		case callee != nil:
			return c.callOf(callee, value{}, e.Args)
		case f.Name == "uint64" || f.Name == "int64" || f.Name == "int":
			return c.exprs(e.Args[0])
		case len(e.Args) == 2: // min or max
			return c.binary(f.Name, e.Args[0], e.Args[1])
		}
	case *ast.SelectorExpr:
		if word, ok := f.X.(*ast.SelectorExpr); ok {
			return c.atomic(f.Sel.Name, word, e.Args)
		}
		switch of, callee := f.X.(*ast.Ident).Name, c.funcs[f.Sel.Name]; {
		case callee != nil && of == c.Name:
			return c.callOf(callee, value{}, e.Args)
		case callee != nil:
			return c.callOf(callee, value{c.lookup(of).at, "*slot"}, e.Args)
		case f.Sel.Name == "Add": // unsafe.Add(r.slots, x): a slot is known by its number
			return c.binary(">>", e.Args[1], ast.NewIdent("slotBits"))
		}
	}
	panic("the model does not know the call " + types.ExprString(e))
}

func (c *compiler) callOf(f *ast.FuncDecl, receiver value, args []ast.Expr) (results []value) {
	for _, r := range fields(f.Type.Results) {
		results = append(results, c.alloc(r.typ))
	}
	top := c.top
	c.inline(f, receiver, c.list(args), results)
	c.top = top
	return results
}

func (c *compiler) atomic(method string, word *ast.SelectorExpr, args []ast.Expr) []value {
	op := slices.Index(Operations[:], method)
	if op < 0 {
		panic("the model does not know the method " + method)
	}
	result := c.alloc("uint64")
	top := c.top
	i := Step{Op: Op(op), Word: word.Sel.Name, dst: result.at}
	if id, ok := word.X.(*ast.Ident); !ok || id.Name != c.Name {
		i.Slot = c.expr(word.X).at
	}
	for k, v := range c.list(args) {
		*[]*int{&i.A, &i.B}[k] = v.at
	}
	c.emit(i)
	c.top = top
	return []value{result}
}
