package storetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"

	"github.com/ringuid/ringuid/worker/store"
)

// state is what the model knows of a row. Its leases are so long that none
// expires meanwhile.
type state struct {
	nonce store.Nonce
	held  bool
	high  int64
	over  bool // the last operation has ended
}

func content(r store.Row) state { return state{nonce: r.Nonce, held: r.Held, high: r.High} }

type input struct {
	view   bool
	end    bool // of the history: after all operations but those of unknown outcome
	write  store.Write
	beyond bool // the write asks for more than the window allows
}

type output struct {
	row     state // of a view
	applied bool
	unknown bool
}

// model is store.Write's contract, for one row and one client at a time. A write of unknown
// outcome that was never applied comes after the end, where nobody can tell, and nowhere else:
// each place more would double the orders that a checker has to try.
func model(began state) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return began },
		Step: func(s, in, out any) (bool, any) { return step(s.(state), in.(input), out.(output)) },
	}
}

func step(s state, in input, out output) (bool, state) {
	switch {
	case s.over:
		return out.unknown, s
	case in.end:
		s.over = true
		return true, s
	case in.view:
		return out.row == s, s
	}
	w := in.write
	holds := slices.Contains(w.Expect, s.nonce) && !(w.Acquire && s.held) && (w.Release || !in.beyond)
	switch {
	case !out.applied && !out.unknown:
		return !holds || overtaken(w, s), s
	case !holds:
		return false, s
	case w.Release:
		return true, state{nonce: w.Nonce, high: w.High}
	}
	return true, state{nonce: w.Nonce, held: true, high: max(s.high, w.High)}
}

// overtaken says whether the row contains the client's own write of unknown outcome, which
// may have come late: after the store read the row for w, and before it wrote it. A store
// that compares then misses, though w expected that nonce too.
func overtaken(w store.Write, s state) bool { return slices.Index(w.Expect, s.nonce) > 0 }

// String lists the operations by their starts.
func (h *history) String() string {
	ops := slices.SortedFunc(slices.Values(h.ops),
		func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, op := range ops {
		in, out := op.Input.(input), op.Output.(output)
		if in.end {
			continue
		}
		fmt.Fprintf(&b, "\n%4d %4d client %d: ", op.Call, min(op.Return, 9999), op.ClientId)
		if in.view {
			fmt.Fprintf(&b, "view %v", out.row)
			continue
		}
		w := in.write
		fmt.Fprintf(&b, "write %v expecting %v, high %d, acquire %t, release %t: applied %t, unknown %t",
			w.Nonce, w.Expect, w.High, w.Acquire, w.Release, out.applied, out.unknown)
	}
	return b.String()
}
