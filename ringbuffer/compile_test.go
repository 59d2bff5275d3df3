package ringbuffer

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The model checker runs the package's own source: what is compiled here into
// steps is the text of its functions, so the order of the atomic steps is the real
// one, and a mutant is a change of that text. What the source uses of Go is little;
// anything else is refused.

// opcode is what an instruction does with registers a, b and dst. Those up to
// atomicOps are steps of the interleaving, all others are a thread's own.
type opcode uint8

const (
	load  opcode = iota // dst = word
	store               // word = a
	add                 // word += a, dst = the sum
	swap                // dst, word = word, a
	cas                 // dst = word == a; if so, word = b
	atomicOps

	constant // dst = value
	move     // dst = a
	binary   // dst = a tok b
	not      // dst = !a
	jump     // to value
	jumpIf   // to value when a
	leave    // the function is done, its results are in the first registers
)

type instr struct {
	op        opcode
	tok       token.Token
	dst, a, b int
	value     uint64
	word      string // of the atomic operation
	slot      int    // register with the slot that has the word; -1: the ring has it
	needed    uint64 // the registers, as a set, that are read here or later
}

// value is what an expression came to: a register, or one for each field of a
// struct.
type value struct {
	at  int
	typ string
}

// source is the functions of the package by name.
type source map[string]*ast.FuncDecl

// attemptFields are the fields of the one struct that the functions pass around.
var attemptFields = []string{"at", "end", "v"}

func width(typ string) int {
	if typ == "Attempt" {
		return len(attemptFields)
	}
	return 1
}

// readSource parses the ring's functions, after the mutation, if any: old text,
// which must be there once, and new text.
func readSource(t *testing.T, mutation ...string) source {
	src := source{}
	found := 0
	for _, name := range []string{"ring.go", "take.go", "put.go", "drop.go", "take_test.go"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		code := string(text)
		if len(mutation) == 2 {
			found += strings.Count(code, mutation[0])
			code = strings.Replace(code, mutation[0], mutation[1], 1)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, code, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				src[f.Name.Name] = f
			}
		}
	}
	if len(mutation) == 2 {
		require.Equal(t, 1, found, "the mutant's old text must be in the source once:\n%s", mutation[0])
	}
	return src
}

// compiler turns one function, and all that it calls, into straight code.
type compiler struct {
	src    source
	consts map[string]uint64
	code   []instr
	top    int // registers in use
	most   int
	scopes []map[string]value
	calls  []frame
	loops  []loop
}

type frame struct {
	results []value
	ends    []int // jumps to the function's end
}

type loop struct {
	begin  int
	breaks []int
}

// compile makes the code of a function for a ring of this size. Arguments come in
// the first registers, results go there.
func (src source) compile(name string, slots, span int) []instr {
	c := &compiler{src: src, consts: map[string]uint64{
		"unadded": unadded, "disarmed": disarmed, "slotBits": slotBits, "true": 1, "false": 0,
		"r.offsets": uint64(slots-1) << slotBits, "r.size": uint64(slots), "r.lap": uint64(slots) / 2,
		"r.span": uint64(span), "r.spacing": 0, "r.counted": counted,
	}}
	f := src[name]
	var args []value
	for range fields(f.Type.Params) {
		args = append(args, c.alloc("uint64"))
	}
	results := c.inline(f, value{}, args)
	for i, r := range results {
		c.emit(instr{op: move, dst: resultsAt + i, a: r.at})
	}
	c.emit(instr{op: leave})
	if c.most > resultsAt {
		panic(fmt.Sprintf("%s needs %d registers", name, c.most))
	}
	findNeeded(c.code)
	return c.code
}

// resultsAt is the first register of a function's results.
const resultsAt = registers - 3

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

func (c *compiler) emit(i instr) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

func (c *compiler) land(jumps ...int) {
	for _, j := range jumps {
		c.code[j].value = uint64(len(c.code))
	}
}

func (c *compiler) alloc(typ string) value {
	v := value{c.top, typ}
	c.top += width(typ)
	c.most = max(c.most, c.top)
	return v
}

func (c *compiler) copyTo(dst, from value) {
	for i := range width(dst.typ) {
		c.emit(instr{op: move, dst: dst.at + i, a: from.at + i})
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
		for k := range width(v.typ) {
			c.emit(instr{op: constant, dst: v.at + k})
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
