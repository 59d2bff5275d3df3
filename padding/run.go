package padding

import (
	"math"
	"time"
)

// nap bounds each sleep while ids may become old or are waited for, so that a clock that was
// set meanwhile, or a machine that was suspended, is noticed.
const nap = time.Second

// run is the padder's goroutine.
func (p *Padder) run() {
	schedule := time.Tick(p.c.Schedule) // nil for none
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	asked := true
	for !p.isClosed() {
		var sleep time.Duration
		if sleep, asked = p.step(asked); sleep == 0 {
			continue
		}
		timer.Reset(sleep)
		select {
		case <-p.wake:
			asked = true
		case <-schedule:
			p.schedule()
		case <-timer.C:
		}
	}
}

func (p *Padder) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// schedule begins a refill even if the ring is not low.
func (p *Padder) schedule() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.filling = p.filling || !p.full()
}

// step is pad, which is tried again after a nap when it panics.
func (p *Padder) step(asked bool) (sleep time.Duration, again bool) {
	sleep, again = nap, true
	panicked := true
	defer func() {
		if panicked {
			p.refilled(0) // of those who wait for ids, some may wait no longer
		}
	}()
	defer p.rescue(minting)
	sleep, again = p.pad(asked)
	panicked = false
	return sleep, again
}

// pad refills, arms the low-water mark, and says how long to sleep unless woken, zero being
// not at all; and whether somebody asks for ids then, too.
func (p *Padder) pad(asked bool) (sleep time.Duration, again bool) {
	put, more := p.refill(asked)
	latest := p.refilled(put)
	if more || latest <= 0 {
		return 0, true
	}
	p.ask()
	p.mu.Lock()
	defer p.mu.Unlock()
	// A ring that is being filled and is not full waits for the pause to pass. One of which
	// old ids were dropped may be low, and is filled when the next slot is used up; and an
	// empty one by the take that finds it so. Else not armed means that takes have made it
	// low meanwhile.
	if used := p.mint.Used(); !p.filling && used > 0 && !p.mint.Arm(min(used, p.c.Low)) {
		return 0, true
	}
	return max(min(p.sleep(p.c.Now()), latest), time.Millisecond), latest < math.MaxInt64
}

// refilled tells who takes the ids, and returns when to do so again, at the latest.
func (p *Padder) refilled(put int64) time.Duration {
	if p.c.Refilled == nil {
		return math.MaxInt64
	}
	return p.c.Refilled(put)
}

// sleep is how long there is nothing to do unless somebody wakes the padder.
func (p *Padder) sleep(now time.Time) time.Duration {
	sleep := time.Duration(math.MaxInt64)
	if left := p.ending(now); left > 0 {
		sleep = left
	}
	if p.farAhead {
		sleep = min(sleep, nap) // until the clock has caught up
	}
	blocked := false // old ids stay, as no newer ones can be minted
	if p.kept != none {
		old := p.c.Start(p.kept + 1).Add(p.ripe).Sub(now)
		if blocked = old <= 0 && p.pause != nil; !blocked {
			sleep = min(sleep, old, nap)
		}
	}
	if p.pause == nil || !p.filling && !blocked {
		return sleep
	}
	// The clock that showed the end of the layout may be corrected; and a grant may
	// change without notice.
	sleep = min(sleep, nap)
	if until := p.pause.until; !until.IsZero() {
		sleep = min(sleep, until.Sub(now))
	}
	return sleep
}

// ask lets RejectPut decide about what the last refill could not put, unless that has been
// put, or is old, by the time it answers.
func (p *Padder) ask() {
	p.mu.Lock()
	about, left, asks := p.rest, p.ids(p.rest), p.asks && p.rest.held
	p.asks = false
	p.mu.Unlock()
	if !asks || !p.discards(about.tick, left) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest == about {
		p.stats.Discarded += left
		p.rest = rest{}
	}
}

// discards is what RejectPut says; false when it panics.
func (p *Padder) discards(tick, left int64) bool {
	defer p.rescue("panic in the reject-put handler; the rest of the tick is kept")
	return p.c.RejectPut(tick, left)
}

const minting = "panic while minting; trying again"

// rescue, which is deferred, keeps a panic in the caller's code from ending the padder: it
// is counted and logged.
func (p *Padder) rescue(what string) {
	if v := recover(); v != nil {
		p.mu.Lock()
		p.stats.Faults++
		p.mu.Unlock()
		p.c.Logger.Error(what, "panic", v)
	}
}
