package padding

import (
	"math"
	"time"
)

// burst is how many runs of ticks are put under one lock and with one reading of the clock.
const burst = 64

// refill replaces old ids and then, if the ring is low, mints and puts until it is full
// or nothing may be minted. It reports whether to continue at once, because the padder
// only yielded for a moment.
func (p *Padder) refill() (put int64, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, false
	}
	now := p.c.Now()
	if present := p.c.Tick(now); present >= p.shown {
		p.shown, p.back = present, 0
	} else {
		p.back = max(p.back, p.c.Start(p.shown).Sub(p.c.Start(present)))
	}
	put = p.renew(now)
	if p.mint.Used() < p.c.Low {
		p.filling = true
	}
	old := p.before(now, p.ripe)
	if p.filling {
		var n int64
		n, more = p.fill(now, old)
		put += n
	}
	if tick, ok := p.mint.Oldest(); ok {
		if tick >= old {
			p.mint.Expire(old) // there are newer ones in the ring
		}
		p.tellAhead(tick, now)
	}
	if put > 0 {
		p.stats.Refills++
	}
	return put, more
}

// tellAhead logs once that the ids of this tick, the next to be taken, are far ahead of the
// clock, and once that it has caught up with them: a load that borrows all the time, and one
// that does now and then, are worth a line each.
func (p *Padder) tellAhead(tick int64, now time.Time) {
	begin := p.c.Start(tick)
	// far is more than the time for which a lease grants ticks in advance, a minute or two
	// of them, by what the clocks of its store and of the machine may differ: to use all that
	// was granted, as any burst may, and a new pool does, is no news.
	far := max(time.Minute, 4*p.c.Start(1).Sub(p.c.Start(0))) + 5*time.Second
	switch ahead := begin.Sub(now); {
	case p.farAhead && ahead <= 0:
		p.farAhead, p.backTold = false, false
		p.c.Logger.Info("the clock has caught up with the ids")
	case !p.farAhead && ahead > far:
		p.farAhead, p.backTold = true, p.back > 0
		p.c.Logger.Warn("ids are far ahead of the clock", "ahead", ahead.Round(time.Millisecond),
			"until", begin, "set_back", p.back, "may_borrow", !p.mint.Grant().NoBorrow)
	}
}

func (p *Padder) full() bool { return p.mint.Used() == p.c.Slots }

// before is the first tick that did not end this long ago.
func (p *Padder) before(now time.Time, ago time.Duration) int64 {
	if p.c.MaxLag < 0 {
		return math.MinInt64
	}
	return p.c.Tick(now.Add(-ago))
}

// renew replaces old ids by new ones, slot by slot, only while newer ones can be minted:
// in an outage old ids are better than none. Where there is room the new ones are put
// first, so that the ring does not run empty in between.
func (p *Padder) renew(now time.Time) (put int64) {
	if oldest, ok := p.mint.Oldest(); !ok || oldest >= p.before(now, p.ripe) {
		return 0
	}
	// With those that will be old soon, or it would be once for each tick.
	before := p.before(now, p.ripe/2)
	for {
		oldest, ok := p.mint.Oldest()
		if !ok || oldest >= before {
			return put
		}
		if !p.supply(now, before) {
			if p.pause.ahead && p.last >= before {
				// Its own bound holds it back: the newer ones are in the ring already.
				for p.skip(before) > 0 {
				}
			}
			return put
		}
		if p.full() {
			p.skip(before)
			put += p.putRest(1)
		} else {
			put += p.putRest(1)
			p.skip(before)
		}
	}
}

// skip removes what is old from the first slot of the ring.
func (p *Padder) skip(before int64) (dropped int64) {
	dropped = p.mint.Skip(before)
	p.stats.Dropped += dropped
	return dropped
}

// fill mints and puts until the ring is full.
func (p *Padder) fill(now time.Time, before int64) (put int64, more bool) {
	for range burst {
		if p.full() {
			p.filled(now, before)
			return put, false
		}
		if !p.supply(now, before) && !p.rest.held {
			return put, false
		}
		put += p.putRest(p.c.Slots)
	}
	return put, true
}

// filled ends a refill. Where there is a RejectPut to ask, it mints a tick for the full ring
// to reject: the original's refill ends only when a put was rejected.
func (p *Padder) filled(now time.Time, before int64) {
	if p.c.RejectPut != nil && !p.rest.held {
		p.supply(now, before)
	}
	if p.rest.held {
		p.stats.Rejected++
		p.asks = p.c.RejectPut != nil
	}
	p.setPause(nil)
	p.filling = false
}

// supply makes sure that there are ids to put which are not old: what is left of the rest
// or a new run of ticks. It returns false when there are none; the pause says why.
func (p *Padder) supply(now time.Time, before int64) bool {
	if p.rest.held && p.last >= before {
		if p.rest.tick < before {
			p.rest.tick, p.rest.from = before, 0
		}
		return true
	}
	first, last, pause := p.next(now)
	p.setPause(pause)
	if pause != nil {
		return false
	}
	p.last = last
	p.rest = rest{tick: first, held: true}
	return true
}

// putRest puts as much of the rest as fits into this many slots. Should the Mint panic in
// between, the rest is lost and no id of it is put twice.
func (p *Padder) putRest(slots int) int64 {
	r, ids := p.rest, p.ids(p.rest)
	p.rest = rest{}
	n := p.mint.Put(r.tick, r.from, ids, slots)
	p.stats.Put += n // at once: the next tick's mint may panic
	if n < ids {
		r.from += n
		p.rest = rest{tick: r.tick + r.from/p.c.IDs, from: r.from % p.c.IDs, held: true}
	}
	return n
}
