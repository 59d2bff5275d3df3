package uid

import "github.com/ringuid/ringuid/policy"

// reserve is the use of reserved sequence numbers for a clock that was set back.
// Each step back takes the next number, and gives one id with it in each tick
// before the last id's, downwards. tops[i] is the highest tick that was ever
// begun with number i; a later step with it stops above that:
//
//	with number i, ticks come in runs, each from its top down to above the top of
//	the run before
//
// so no tick has a number twice. That holds wherever a run's top lies and whichever
// ticks it leaves out on its way down. With a worker id that is not fenced the top is
// the clock's tick, which the run is set down to as often as the clock is set back: no
// tick is minted before it begins, by which the next start of the worker id keeps clear
// of it (heldLease).
type reserve struct {
	tops   map[int64]int64
	number int64 // in use; 0 before the first step
	tick   int64 // of the next id
	bottom int64 // the run ends above it
	since  int64 // the sequence's last value when the step began
	active bool
}

// reserved gives out the next value of the past, if any is left. A grant that is given up
// after it was looked at ends the term.
func (c *call) reserved(r policy.Reserved) (int64, *block) {
	g, s, last, p := c.g, c.s, c.at.last, &c.s.past
	lo, hi, _, _ := g.granted(c.cur.lease)
	top := g.tickOf(last) - 1
	if c.cur.lease.noBorrow {
		top = min(top, c.now)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !c.still() {
		return 0, again
	}
	if !p.active || p.since != last {
		p.active, p.since = p.begin(top, r), last
	}
	p.tick = min(p.tick, top)
	for p.active && p.tick <= p.bottom { // this number's past is used up: the next one's
		p.active = p.begin(top, r)
	}
	// the past before the grant is another holder's
	if tick := g.firstTick + p.tick; !p.active || tick < lo || hi < tick {
		return 0, c.setBack(g.tickOf(last))
	}
	if c.want == none {
		return last, nil
	}
	v := g.value(p.tick, g.turnOf(last), p.number)
	p.tick--
	s.taken++
	c.got = 1
	return v, nil
}

// begin starts a run from top down with the next number that has any past left;
// false when none has.
func (p *reserve) begin(top int64, r policy.Reserved) bool {
	if p.tops == nil {
		p.tops = map[int64]int64{}
	}
	for range r.Last - r.First + 1 {
		p.number++
		if p.number < r.First || p.number > r.Last {
			p.number = r.First
		}
		bottom := p.tops[p.number] // 0, Yitter's first tick, if it is not used yet
		if top > bottom {
			p.tick, p.bottom, p.tops[p.number] = top, bottom, top
			return true
		}
	}
	return false
}
