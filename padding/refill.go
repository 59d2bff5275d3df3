package padding

import (
	"math"
	"time"
)

// burst is how many runs of ticks are put under one lock and with one reading of the clock.
const burst = 64

// request is what a refill is for.
type request int

const (
	toDrop request = iota // old ids, and no more
	ifLow                 // to fill the ring if it is low: a take asked for more
	always                // to fill it unless it is full
)

// refill drops old ids. Then, if the ring shall be filled, it mints and puts until the ring is
// full or nothing may be minted. It reports whether to continue at once, because the padder
// only yielded for a moment.
func (p *Padder) refill(r request) (put int64, more bool) {
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
	p.expire(now)
	if p.ending(now) == 0 {
		r = always
	}
	if r == ifLow && p.mint.Used() < p.c.Low || r == always && !p.full() {
		p.filling = true
	}
	if p.filling {
		put, more = p.fill(now, p.before(now, p.ripe))
	}
	if tick, ok := p.mint.Oldest(); ok {
		p.tellAhead(tick, now)
	} else if p.last != math.MinInt64 {
		p.tellAhead(p.last, now)
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
	far := max(time.Minute, 4*p.unit) + 5*time.Second
	switch ahead := begin.Sub(now); {
	case p.farAhead && ahead <= 0:
		p.farAhead, p.backTold = false, false
		p.c.Logger.Info("the clock has caught up with the ids")
	case !p.farAhead && ahead > far:
		p.farAhead, p.backTold = true, p.back > 0
		_, _, _, noBorrow := p.mint.Grant()
		p.c.Logger.Warn("ids are far ahead of the clock", "ahead", ahead.Round(time.Millisecond),
			"until", begin, "set_back", p.back, "may_borrow", !noBorrow)
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

// ending is how long it is until no more ticks are granted than the ring may hold, or a nap
// may take: from then on it is kept full, as it may have to do for an outage.
func (p *Padder) ending(now time.Time) time.Duration {
	last := max(int64(p.c.Slots)*p.c.Run, int64(nap/p.unit))
	_, hi, _, _ := p.mint.Grant()
	left := hi - last - p.c.Tick(now) // ticks
	return time.Duration(min(max(left, 0), math.MaxInt64/int64(p.unit))) * p.unit
}

// expire drops old ids, only while newer ones can be minted: in an outage old ids are better
// than none. It mints none in their place: without takes the ring becomes empty, and then
// there is nothing to do until a take asks for more.
func (p *Padder) expire(now time.Time) {
	if p.kept >= p.before(now, p.ripe) {
		return
	}
	// With those that will be old soon, or it would be once for each tick.
	before := p.before(now, p.ripe/2)
	_, _, why := p.next(now)
	// Where the padder's own bound holds it back, the newer ones were put already.
	if why != nil && !(why.ahead && p.last >= before) {
		p.setPause(why)
		return
	}
	p.setPause(nil)
	if dropped := p.mint.Drop(before); dropped > 0 {
		p.stats.Dropped += dropped
		p.filling = false // nobody waits for ids while there are some
	}
	if p.kept = before; p.last < before {
		p.kept = none
	}
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
		put += p.putRest()
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

// putRest puts as much of the rest as fits. Should the Mint panic in between, the rest is
// lost and no id of it is put twice.
func (p *Padder) putRest() int64 {
	r, ids := p.rest, p.ids(p.rest)
	p.rest = rest{}
	if p.c.MaxLag >= 0 {
		p.kept = min(p.kept, r.tick) // before a take gets it and the Mint may panic
	}
	n := p.mint.Put(r.tick, r.from, ids)
	p.put += n // at once: the next tick's mint may panic
	if n < ids {
		r.from += n
		p.rest = rest{tick: r.tick + r.from/p.c.IDs, from: r.from % p.c.IDs, held: true}
	}
	return n
}
