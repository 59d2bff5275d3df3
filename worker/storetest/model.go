package storetest

import (
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/ringuid/ringuid/worker/store"
)

// state is what the model knows of a row: what its writes leave, but not when they came. The
// leases are so long that none expires during the test.
type state struct {
	row  store.Row
	over bool // the last operation has ended
}

type input struct {
	view  bool
	end   bool // of the history: after all operations but those of unknown outcome
	write store.Write
}

type output struct {
	row     store.Row // of a view
	applied bool
	unknown bool
}

// model is store.Write's contract for one row and one client at a time, by a clock that stands
// still. A write of unknown outcome that was never applied is placed only after the end, where it
// has no visible effect: each additional place would double the orders that a checker has to try.
func model(began store.Row, now time.Time) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{row: began} },
		Step: func(s, in, out any) (bool, any) {
			return step(s.(state), in.(input), out.(output), now)
		},
	}
}

func step(s state, in input, out output, now time.Time) (bool, state) {
	switch {
	case s.over:
		return out.unknown, s
	case in.end:
		s.over = true
		return true, s
	case in.view:
		return undated(out.row) == undated(s.row), s
	}
	w := in.write
	after, holds := w.Apply(s.row, now)
	if !out.applied && !out.unknown {
		return !holds || overtaken(w, s.row), s
	}
	return holds, state{row: after}
}

// undated is a row without the times of its last write.
func undated(r store.Row) store.Row {
	r.Renewed, r.Expires = time.Time{}, time.Time{}
	return r
}

// overtaken reports whether the row contains the client's own write of unknown outcome, which
// may have arrived late: after the store read the row for w, and before it wrote the row. A
// store that compares at that point misses, although w expected that nonce, too.
func overtaken(w store.Write, r store.Row) bool { return slices.Index(w.Expect, r.Nonce) > 0 }
