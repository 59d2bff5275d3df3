package worker

import (
	"slices"

	"github.com/ringuid/ringuid/worker/store"
)

// rewound notes what the store has lost: all that no row was built on.
func (o *oracle) rewound() {
	kept := map[store.Nonce]bool{}
	for _, row := range o.w.server.view(simLayout, 0, int64(o.w.rows)).Rows {
		for n := row.Nonce; !kept[n]; n = o.grants[n].before {
			kept[n] = true
		}
	}
	o.open = noTick
	for n, g := range o.grants {
		if kept[n] {
			continue // also if it was lost before: the store goes back and forth
		}
		delete(o.nonces, n) // a copy of it may arrive once more
		if g.lo <= g.hi {
			o.gone[n] = g
			o.open = max(o.open, g.hi)
		}
	}
	o.changed = true
	if o.w.server.view(simLayout, 0, -1).Floor > o.open {
		o.close()
	}
}

// excuses: the tick was granted by a write that the store lost, and by another while
// something was open.
func (o *oracle) excuses(m minting) bool {
	for n, lost := range o.gone {
		if !lost.covers(m) {
			continue
		}
		for k, again := range o.grants {
			if k != n && again.exposed && again.covers(m) {
				return true
			}
		}
	}
	return false
}

// fenced notes what a process knows that was shown that its row is not its own.
func (o *oracle) fenced(p *process, v store.View) {
	g, held := o.grants[p.latest]
	if held && !p.leaving && len(v.Rows) == 1 && v.Rows[0].Open && v.Rows[0].High < g.hi &&
		v.Epoch == g.epoch {
		o.known[p.id] = true
	}
}

// settled: a process has deleted the rows of its layout.
func (o *oracle) settled(p *process, q purge, kept store.Nonce) {
	seen := func(r store.Row) bool { return r.Nonce == kept }
	if o.known[p.id] && slices.ContainsFunc(p.view.Rows, seen) { // else nobody remembers the error
		o.stays[p.id] = kept
	}
	if q.layout == p.layout || q.layout == "" {
		delete(o.known, p.id)
	}
}

// takes checks that a process that knows builds on no row from before.
func (o *oracle) takes(p *process, w store.Write) {
	if kept := o.stays[p.id]; kept != (store.Nonce{}) && slices.Contains(w.Expect, kept) {
		o.w.fail("I12: %v takes a row that it deleted", p)
	}
	if o.known[p.id] && !o.w.soft {
		o.w.fail("I12: %v takes a row, and was shown less than was acknowledged", p)
	}
}
