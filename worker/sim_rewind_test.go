package worker

import "github.com/ringuid/ringuid/worker/store"

// rewound notes what the store has lost: all that no row was built on.
func (o *oracle) rewound() {
	o.rewinds++
	v, err := o.w.server.mem.View(background, simSpace, 0, int64(o.w.rows)-1)
	if err != nil {
		return // it went back behind its namespace
	}
	kept := map[store.Nonce]bool{}
	for _, row := range v.Rows {
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
	o.floorRose()
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
	if held && !p.leaving && len(v.Rows) == 1 && v.Rows[0].High < g.hi && v.Epoch == g.epoch {
		if was, shown := o.known[p.id]; !shown || was < g.floor {
			o.known[p.id] = g.floor
		}
	}
}

// takes checks that a process that knows builds on no floor from before.
func (o *oracle) takes(p *process, w store.Write) {
	if floor, shown := o.known[p.id]; shown && w.Floor <= floor && !o.w.soft {
		o.w.fail("I12: %v takes a row under floor %v, and was shown less than was acknowledged under it",
			p, short(w.Floor))
	}
}

// quarantined checks the floor of a quarantine, unless it was on its way for so long that
// it is about something else.
func (o *oracle) quarantined(rewinds int) {
	defer o.floorRose()
	if rewinds < o.rewinds {
		return
	}
	if v, err := o.w.server.mem.View(background, simSpace, 0, 0); err == nil && v.Floor <= o.open &&
		!o.w.soft {
		o.w.fail("I12: the floor was raised to %v, and %v is lost", short(v.Floor), short(o.open))
	}
	o.open = noTick // and whatever comes twice from now on is wrong
}

// floorRose closes off what is lost and lies below the floor.
func (o *oracle) floorRose() {
	v, err := o.w.server.mem.View(background, simSpace, 0, 0)
	if err != nil {
		return
	}
	if v.Floor > o.open {
		o.open = noTick
	}
	if o.open == noTick && len(o.gone) > 0 {
		o.closed = max(o.closed, v.Floor)
	}
}
