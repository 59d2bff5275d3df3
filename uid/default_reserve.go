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

// reserved gives out the next value of the past.
func (g *DefaultGenerator) reserved(s *sequence, last int64, d policy.BackDecision,
	c *call) (int64, *block) {
	p, ok := g.pastOf(s, last, d, c)
	switch {
	case !ok:
		return 0, again
	case !p.active:
		return 0, c.setBack(g.tickOf(last), c.now)
	case c.allowed(p.tick) != nil: // the past before the grant is another holder's
		return 0, c.setBack(g.tickOf(last), c.now)
	case c.want == none:
		return last, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.at(c.cur, last) || s.past.number != p.number || s.past.tick != p.tick {
		return 0, again
	}
	s.past.tick--
	s.taken++
	c.got = 1
	return g.value(p.tick, g.turnOf(last), p.number), nil
}

// pastOf is where the next value of the past is, if any is left; ok is false when
// last is another by now.
func (g *DefaultGenerator) pastOf(s *sequence, last int64, d policy.BackDecision,
	c *call) (past reserve, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.past
	if !s.at(c.cur, last) {
		return *p, false
	}
	top := g.tickOf(last) - 1
	if c.cur.lease.noBorrow {
		top = min(top, c.now)
	}
	if !p.active || p.since != last {
		p.active = p.begin(top, d)
		p.since = last
	}
	p.tick = min(p.tick, top)
	for p.active && p.tick <= p.bottom { // this number's past is used up: the next one's
		p.active = p.begin(top, d)
	}
	return *p, true
}

// begin starts a run from top down with the next number that has any past left;
// false when none has.
func (p *reserve) begin(top int64, d policy.BackDecision) bool {
	if p.tops == nil {
		p.tops = map[int64]int64{}
	}
	for range d.Last - d.First + 1 {
		p.number++
		if p.number < d.First || p.number > d.Last {
			p.number = d.First
		}
		bottom, used := p.tops[p.number]
		if !used {
			bottom = 0 // Yitter's first tick
		}
		if top > bottom {
			p.tick, p.bottom, p.tops[p.number] = top, bottom, top
			return true
		}
	}
	return false
}
