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
	next := ifLow
	for !p.isClosed() {
		var sleep time.Duration
		if sleep, next = p.step(next); sleep == 0 {
			continue
		}
		timer.Reset(sleep)
		select {
		case <-p.wake:
			next = ifLow
		case <-schedule:
			next = always
		case <-timer.C:
		}
	}
}

func (p *Padder) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// step is pad, which is tried again after a nap when it panics.
func (p *Padder) step(r request) (sleep time.Duration, next request) {
	sleep, next = nap, ifLow
	panicked := true
	defer func() {
		if panicked {
			p.refilled(0) // of those who wait for ids, some may wait no longer
		}
	}()
	defer p.rescue(minting)
	sleep, next = p.pad(r)
	panicked = false
	return sleep, next
}

// pad refills, arms the low-water mark, and says how long to sleep unless woken, zero being
// not at all, and what is to be done then: somebody who waits for ids asks for them again.
func (p *Padder) pad(r request) (sleep time.Duration, next request) {
	put, more := p.refill(r)
	latest := p.refilled(put)
	if more || latest <= 0 {
		return 0, ifLow
	}
	if latest < math.MaxInt64 {
		next = ifLow
	}
	p.ask()
	p.mu.Lock()
	defer p.mu.Unlock()
	// A ring that is being filled and is not full waits for the pause to pass. One of which
	// old ids were dropped may be low, and is filled when the next slot is used up; and an
	// empty one by the take that finds it so. Else not armed means that takes have made it
	// low meanwhile.
	if used := p.mint.Used(); !p.filling && used > 0 && !p.mint.Arm(min(used, p.c.Low)) {
		return 0, ifLow
	}
	return max(min(p.sleep(p.c.Now()), latest), time.Millisecond), next
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
