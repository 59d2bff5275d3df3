package padding

import (
	"math"
	"time"
)

// nap bounds each sleep, so that a clock that was set meanwhile, or a machine that was
// suspended, is noticed.
const nap = time.Second

// leastNap bounds how often the ids that streams hold are checked.
const leastNap = 10 * time.Millisecond

// run is the padder's goroutine.
func (p *Padder) run() {
	schedule := time.Tick(p.c.Schedule) // nil for none
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for !p.isClosed() {
		sleep := p.step()
		if sleep == 0 {
			continue
		}
		timer.Reset(sleep)
		select {
		case <-p.wake:
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
func (p *Padder) step() (sleep time.Duration) {
	sleep = nap
	panicked := true
	defer func() {
		if panicked {
			p.refilled(0) // of those who wait for ids, some may wait no longer
		}
	}()
	defer p.rescue(minting)
	sleep, panicked = p.pad(), false
	return sleep
}

// pad refills, arms the low-water mark, and says how long to sleep unless woken; zero is
// not at all.
func (p *Padder) pad() time.Duration {
	put, more := p.refill()
	latest := p.refilled(put)
	if more || latest <= 0 {
		return 0
	}
	p.ask()
	p.mu.Lock()
	defer p.mu.Unlock()
	// A ring that is being filled and is not full waits for the pause to pass. Else
	// not armed means that it has become low meanwhile.
	if !p.filling && !p.mint.Arm(p.c.Low) {
		return 0
	}
	return max(min(p.sleep(p.c.Now()), latest), time.Millisecond)
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
	sleep := time.Hour
	renewing := false
	if p.c.MaxLag >= 0 {
		sleep = min(max(p.c.MaxLag/2, leastNap), nap) // for what streams hold
		if oldest, ok := p.mint.Oldest(); ok {
			old := p.c.Start(oldest + 1).Add(p.ripe).Sub(now)
			renewing = old <= 0
			if !renewing {
				sleep = min(sleep, old)
			}
		}
	}
	if p.pause == nil || !p.filling && !renewing {
		return sleep
	}
	// The clock that showed the end of the layout may be corrected; and a grant may
	// change without notice.
	sleep = min(sleep, nap)
	if until := p.pause.until.Sub(now); until > 0 {
		sleep = min(sleep, until)
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
