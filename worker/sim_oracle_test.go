package worker

import (
	"errors"
	"slices"

	"github.com/ringuid/ringuid/worker/store"
)

// oracle knows what really happened, and looks for what must not:
//
//	     no tick is minted twice with one worker id
//	I1   a tick lies within a write of its minter's that was applied and that the
//	     minter knows of, or that such a write was built on
//	I2   an applied write's nonce was never in a row before
//	I3   an applied write expected the nonce that was in the row; and, to acquire,
//	     the row was free or expired
//	I4   High falls by a release alone, and never below a tick that was minted
//	I5   what different processes are granted of a worker id is disjoint
//	I6   an applied write ends at most a window after the store's clock
//	I7   an applied write knew the epoch and the floor, and the epoch is the
//	     server's; where writes may be lost, a new floor lies above all that was
//	     ever granted; what is held of a row lies at or below its High, or below the floor
//	I8   nothing is minted by a holder that knows itself fenced; that nothing is
//	     granted before it is known is I1's
//	I9   holds if the others do, since processes share owners
//	I10  holds if the others do, since rows are taken by force, too
//	I11  a process mints a higher tick each time
//	I12  who was shown less than was acknowledged to it takes no row under the floor
//	     that it knew, and raises the floor above all that was ever granted
//
// A store that goes back in time, and does not tell by its incarnation, loses grants
// that their holders have. Until a floor was raised above all of them they are open:
// what is granted meanwhile may be theirs, and comes twice. No more than that is
// excused: not what is granted later, nor what was granted while nothing was open.
type oracle struct {
	w       *world
	ticks   map[minting]int // minted, and by which process
	last    map[int]int64   // the highest of a process
	nonces  map[store.Nonce]bool
	grants  map[store.Nonce]grant
	gone    map[store.Nonce]grant // that the store has gone back before, at least once
	known   map[int]int64         // the floor that a process knew that was shown less
	high    map[rowKey]int64      // of all writes that were applied to a row since it was made
	tops    map[int64]int64       // of all that ever were, by worker id
	open    int64                 // of the grants that are lost and not closed off; noTick: none
	closed  int64                 // the floor that closed off the last ones
	changed bool                  // something was written or learnt since the last check

	rewinds int // how often the store went back in time
}

type minting struct{ worker, tick int64 }

// rowKey is a row.
type rowKey struct {
	space  string
	worker int64
}

// grant is what an applied write added to a row.
type grant struct {
	worker, lo, hi int64
	before         store.Nonce
	epoch          string
	floor          int64
	exposed        bool // it was applied while lost grants were open
}

func (g grant) covers(m minting) bool {
	return g.worker == m.worker && g.lo <= m.tick && m.tick <= g.hi
}

func newOracle(w *world) oracle {
	return oracle{w: w, ticks: map[minting]int{}, last: map[int]int64{},
		nonces: map[store.Nonce]bool{}, grants: map[store.Nonce]grant{},
		gone: map[store.Nonce]grant{}, known: map[int]int64{}, high: map[rowKey]int64{},
		tops: map[int64]int64{}, open: noTick, closed: noTick}
}

func (o *oracle) minted(p *process, tick int64) {
	id := p.keeper.h.worker
	o.w.say("%v mints %v/%v", p, id, short(tick))
	if by, twice := o.ticks[minting{id, tick}]; twice && !o.excuses(minting{id, tick}) {
		o.w.fail("worker id %v, tick %v is minted by P%v and by %v", id, short(tick), by, p)
	}
	o.ticks[minting{id, tick}] = p.id
	if last, any := o.last[p.id]; any && tick <= last {
		o.w.fail("I11: %v mints %v after %v", p, short(tick), short(last))
	}
	o.last[p.id] = tick
	if o.w.soft {
		return
	}
	if errors.Is(p.keeper.h.lost, ErrFenced) {
		o.w.fail("I8: %v knows that it is fenced, and mints", p)
	}
	for n := range p.known {
		if g := o.grants[n]; g.worker == id && g.lo <= tick && tick <= g.hi {
			return
		}
	}
	o.w.fail("I1: %v mints %v/%v, which was not acknowledged to it", p, id, short(tick))
}

// applied checks a write that the store applied.
func (o *oracle) applied(by *process, w store.Write, before, after store.View) {
	row, now, server := before.Rows[0], after.Rows[0], o.w.server.now().Add(by.store.blur)
	o.changed = true
	if !w.Release {
		row := rowKey{w.Namespace, w.Worker}
		o.high[row] = max(o.high[row], w.High)
		o.tops[w.Worker] = max(o.tops[w.Worker], w.High)
	}
	g := grant{w.Worker, max(row.High+1, before.Floor), w.High, row.Nonce, w.Epoch, w.Floor,
		o.open != noTick}
	if w.Release {
		g.hi = g.lo - 1 // its High is what its writer may have been granted before
	}
	o.grants[w.Nonce] = g
	if o.w.soft {
		return
	}
	switch {
	case o.nonces[w.Nonce]:
		o.w.fail("I2: the nonce %v is not new", w.Nonce)
	case !slices.Contains(w.Expect, row.Nonce):
		o.w.fail("I3: the row's nonce %v was not expected", row.Nonce)
	case w.Acquire && row.Held && row.Expires.After(server):
		o.w.fail("I3: a live row was acquired")
	case !w.Release && now.High < row.High:
		o.w.fail("I4: High falls from %v to %v", short(row.High), short(now.High))
	case !w.Release && w.High > tickAt(server)+before.Window:
		o.w.fail("I6: granted until %v, and it is %v", short(w.High), short(tickAt(server)))
	case w.Epoch != before.Epoch || w.Floor != before.Floor || before.Epoch != before.Server:
		o.w.fail("I7: a write of epoch %q, floor %v in epoch %q, floor %v of server %q",
			w.Epoch, short(w.Floor), before.Epoch, short(before.Floor), before.Server)
	}
	o.nonces[w.Nonce] = true
	if w.Release && o.open == noTick {
		for m := range o.ticks {
			if m.worker == w.Worker && m.tick > now.High && m.tick >= after.Floor {
				o.w.fail("I4: released at %v, and %v was minted", short(now.High), short(m.tick))
			}
		}
	}
}

// raised checks the floor of a new epoch.
func (o *oracle) raised(applied bool, space string) {
	if !applied || o.w.soft {
		return
	}
	v, _ := o.w.server.mem.View(background, space, 0, 0)
	for id := v.First; id <= v.Last; id++ {
		if high, any := o.high[rowKey{space, id}]; any && o.w.server.loses() && v.Floor <= high {
			o.w.fail("I7: the floor is %v, and %v was granted", short(v.Floor), short(high))
		}
	}
	o.changed = true
	o.floorRose()
}

// check compares what all processes hold with what the rows say.
func (o *oracle) check() {
	if o.w.soft || !o.changed || o.w.broken != nil || o.open != noTick {
		return
	}
	o.changed = false
	for i, p := range o.w.processes {
		if p.untold || p.keeper == nil || p.leaving {
			continue
		}
		id := p.keeper.h.worker
		v, _ := o.w.server.mem.View(background, p.space, id, id)
		for _, s := range p.keeper.h.spans {
			lo, hi := s.lo, s.hi
			if len(v.Rows) == 1 && v.Server == v.Epoch && hi > v.Rows[0].High && hi >= v.Floor {
				o.w.fail("I7: %v holds %v/%v to %v, the row's High is %v and the floor %v", p, id, short(lo),
					short(hi), short(v.Rows[0].High), short(v.Floor))
			}
			for _, q := range o.w.processes[:i] {
				if q.keeper == nil || q.untold || q.leaving || q.keeper.h.worker != id {
					continue
				}
				for _, t := range q.keeper.h.spans {
					if both := max(lo, t.lo, o.closed); both <= min(hi, t.hi) {
						o.w.fail("I5: %v and %v are both granted %v/%v", p, q, id, short(both))
					}
				}
			}
		}
	}
}
