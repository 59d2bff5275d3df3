package worker

import (
	"errors"
	"slices"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// oracle knows what really happened, and looks for what must not:
//
//	     no tick is minted twice with one worker id, whatever the layout
//	I1   a tick lies within a write of its minter's that was applied and that the
//	     minter knows of, or that such a write was built on
//	I2   an applied write's nonce was never in a row before
//	I3   an applied write expected the nonce that was in the row; and, to acquire,
//	     the row was free or expired
//	I4   High falls by a release alone, and never below a tick that was minted
//	I5   what different processes are granted of a worker id is disjoint; who was told that it is a
//	     copy writes the row no more
//	I6   an applied write ends at most a window after the store's clock; a renewal also at
//	     most a window after its writer's
//	I7   an applied write knew the epoch and the floor, and the epoch is the
//	     server's; where writes may be lost, a new floor lies above all that was
//	     ever granted; what is held of a row lies at or below its High, or below the floor
//	I8   nothing is minted by a holder that knows itself fenced; that nothing is
//	     granted before it is known is I1's; and nobody is fenced, or takes its row for one
//	     that was made again, whose row it still is
//	I9   holds if the others do, since processes share owners
//	I10  holds if the others do, since rows are taken by force, too
//	I11  a process mints a higher tick each time
//	I12  who was shown less than was acknowledged to it takes no row before it has
//	     deleted the rows of its layout; nobody takes a row that it deleted
//	     a row that is opened begins above all that was ever granted with its worker id
//
// A store that goes back in time, and does not tell by its incarnation, loses grants
// that their holders have. Until the rows are deleted, or a floor is raised above all of
// them, they are open: what is granted meanwhile may be theirs, and is minted twice. No
// more than that is excused: not what is granted later, nor what was granted while nothing
// was open.
type oracle struct {
	w       *world
	ticks   map[minting]int // minted, and by which process
	last    map[int]int64   // the highest of a process
	nonces  map[store.Nonce]bool
	grants  map[store.Nonce]grant
	gone    map[store.Nonce]grant // that the store has gone back before, at least once
	known   map[int]bool          // processes that were shown less
	stays   map[int]store.Nonce   // of the row that the store kept, by the process that deleted it
	tops    map[int64]int64       // of all writes that were ever applied, by worker id
	open    int64                 // of the grants that are lost and not closed off; noTick: none
	closed  int64                 // the highest that was closed off
	changed bool                  // something was written or learnt since the last check
}

type minting struct{ worker, tick int64 }

// grant is what an applied write added to a row.
type grant struct {
	worker, lo, hi int64
	before         store.Nonce
	epoch          string
	exposed        bool // it was applied while lost grants were open
}

func (g grant) covers(m minting) bool {
	return g.worker == m.worker && g.lo <= m.tick && m.tick <= g.hi
}

func newOracle(w *world) oracle {
	return oracle{w: w, ticks: map[minting]int{}, last: map[int]int64{},
		nonces: map[store.Nonce]bool{}, grants: map[store.Nonce]grant{},
		gone: map[store.Nonce]grant{}, known: map[int]bool{},
		stays: map[int]store.Nonce{}, tops: map[int64]int64{}, open: noTick,
		closed: noTick}
}

func (o *oracle) minted(p *process, tick int64) {
	id := p.keeper.h.worker
	o.w.say("%v mints %v/%v", p, id, o.w.short(tick))
	if by, twice := o.ticks[minting{id, tick}]; twice && !o.excuses(minting{id, tick}) {
		o.w.fail("worker id %v, tick %v is minted by P%v and by %v", id, o.w.short(tick), by, p)
	}
	o.ticks[minting{id, tick}] = p.id
	if last, any := o.last[p.id]; any && tick <= last {
		o.w.fail("I11: %v mints %v after %v", p, o.w.short(tick), o.w.short(last))
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
	o.w.fail("I1: %v mints %v/%v, which was not acknowledged to it", p, id, o.w.short(tick))
}

// renews checks that a process asks for no more than its own clock allows, and that one that was
// told that it is a copy leaves the row to others.
func (o *oracle) renews(p *process, w store.Write) {
	if p.warned && !o.w.soft {
		o.w.fail("I5: %v was told that it is a copy, and writes", p)
	}
	most := o.w.tickAt(p.wall()) + o.w.window
	if p.keeper != nil && !w.Release && w.High > max(most, p.keeper.h.acked) && !o.w.soft {
		o.w.fail("I6: %v asks for %v, and its own clock allows %v", p, o.w.short(w.High), o.w.short(most))
	}
}

// applied checks a write that the store applied.
func (o *oracle) applied(by *process, w store.Write, before, after store.View) {
	row, now := before.Rows[0], after.Rows[0]
	server := o.w.server.now()
	o.changed = true
	if !w.Release {
		o.tops[w.Worker] = max(o.tops[w.Worker], w.High)
	}
	g := grant{w.Worker, max(row.High+1, before.Floor), w.High, row.Nonce, w.Epoch, o.open != noTick}
	if w.Release {
		g.hi = g.lo - 1 // its High is what its writer may have been granted before
	}
	o.grants[w.Nonce] = g
	if o.w.soft {
		return
	}
	switch {
	case o.nonces[w.Nonce]:
		o.w.fail("I2: the nonce %x is not new", w.Nonce)
	case !slices.Contains(w.Expect, row.Nonce):
		o.w.fail("I3: the row's nonce %x was not expected", row.Nonce)
	case w.Acquire && row.Held && row.Expires.After(server):
		o.w.fail("I3: a live row was acquired")
	case !w.Release && now.High < row.High:
		o.w.fail("I4: High falls from %v to %v", o.w.short(row.High), o.w.short(now.High))
	case !w.Release && w.High > o.w.tickAt(server)+before.Window():
		o.w.fail("I6: granted until %v, and it is %v", o.w.short(w.High), o.w.short(o.w.tickAt(server)))
	case w.Epoch != before.Epoch || w.Floor != before.Floor || before.Epoch != before.Server:
		o.w.fail("I7: a write of epoch %q, floor %v in epoch %q, floor %v of server %q",
			w.Epoch, o.w.short(w.Floor), before.Epoch, o.w.short(before.Floor), before.Server)
	}
	o.nonces[w.Nonce] = true
	if w.Release && o.open == noTick {
		for m := range o.ticks {
			if m.worker == w.Worker && m.tick > now.High && m.tick >= after.Floor {
				o.w.fail("I4: released at %v, and %v was minted", o.w.short(now.High), o.w.short(m.tick))
			}
		}
	}
}

// lost checks that a row which a process gives up is another's. It need not be where a view of
// the past is followed by a write that misses for another reason, and by such a view again; nor
// where the store went back to an older row.
func (o *oracle) lost(p *process) {
	h := &p.keeper.h
	rows := o.w.server.view(p.layout, h.worker, h.worker).Rows
	taken := errors.Is(h.lost, ErrFenced) || errors.Is(h.lost, ErrDeleted) && len(h.view.Rows) == 1
	if len(rows) == 1 && p.sent[rows[0].Nonce] && taken && !o.w.soft &&
		len(h.unknown) < maxUnknown && o.w.plain && !o.w.server.older {
		o.w.fail("I8: %v has the row, and takes it for another's, or for one made again", p)
	}
}

// raised checks the floor of a new epoch.
func (o *oracle) raised(applied bool, layout string) {
	if !applied || o.w.soft {
		return
	}
	v := o.w.server.view(layout, 0, -1)
	for _, top := range o.tops {
		if o.w.server.loses() && v.Floor <= top {
			o.w.fail("I7: the floor is %v, and %v was granted", o.w.short(v.Floor), o.w.short(top))
		}
	}
	o.changed = true
	if v.Floor > o.open {
		o.close()
	}
}

// opened checks that rows begin above all that was ever granted with their worker ids.
func (o *oracle) opened(before, after store.View) {
	o.changed = true
	for i, row := range after.Rows {
		if before.Rows[i].Open || !row.Open || o.w.soft {
			continue
		}
		// A fail-over may have lost the opening of a row, and this be another one that comes
		// late. Then the floor lies above what was granted.
		next := grants.Next(after, row)
		if top, any := o.tops[row.Worker]; any && next <= top && after.Server == after.Epoch &&
			o.open == noTick {
			o.w.fail("worker id %d begins at %v, and %v was granted", row.Worker, o.w.short(next),
				o.w.short(top))
		}
	}
}

// deleted: what is granted from now on with rows of the layout lies above what is lost.
func (o *oracle) deleted() {
	o.changed = true
	o.close()
}

// close ends the time in which lost grants are open.
func (o *oracle) close() {
	o.closed, o.open = max(o.closed, o.open), noTick
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
		v := o.w.server.view(p.layout, id, id)
		for _, s := range p.keeper.h.spans {
			lo, hi := s.lo, s.hi
			if len(v.Rows) == 1 && v.Rows[0].Open && v.Server == v.Epoch && hi > v.Rows[0].High &&
				hi >= v.Floor {
				o.w.fail("I7: %v holds %v/%v to %v, the row's High is %v and the floor %v", p, id,
					o.w.short(lo), o.w.short(hi), o.w.short(v.Rows[0].High), o.w.short(v.Floor))
			}
			for _, q := range o.w.processes[:i] {
				if q.keeper == nil || q.untold || q.leaving || q.keeper.h.worker != id {
					continue
				}
				for _, t := range q.keeper.h.spans {
					if both := max(lo, t.lo, o.closed+1); both <= min(hi, t.hi) {
						o.w.fail("I5: %v and %v are both granted %v/%v", p, q, id, o.w.short(both))
					}
				}
			}
		}
	}
}
