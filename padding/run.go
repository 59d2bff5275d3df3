package padding

import (
	"math"
	"runtime"
	"time"
)

// nap bounds each sleep, so that a clock that was set meanwhile, or a machine that was
// suspended, is noticed.
const nap = time.Second

const (
	// leastNap bounds how often the ids that streams hold are checked.
	leastNap = 10 * time.Millisecond

	// hotInterval is how soon a refill must follow the last for the padder to linger:
	// more than half a billion ids a second with the default ring.
	hotInterval = 60 * time.Microsecond

	// lingerYields is how often it checks meanwhile, for some ten microseconds in all.
	lingerYields = 200
)

// run is the padder's goroutine.
func (p *Padder) run() {
	defer close(p.done)
	var schedule <-chan time.Time
	if p.c.Schedule > 0 {
		t := time.NewTicker(p.c.Schedule)
		defer t.Stop()
		schedule = t.C
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	asked := rest{} // what RejectPut was last asked about
	asking := false
	atOnce := make(chan time.Time)
	close(atOnce)
	for {
		sleep, again := p.guarded(p.pad)
		if !asking {
			asked, asking = p.ask(asked)
		}
		var due <-chan time.Time = atOnce
		if !again {
			if p.linger() {
				continue
			}
			timer.Reset(sleep)
			due = timer.C
		}
		select {
		case <-p.wake:
		case <-schedule:
			p.schedule()
		case <-due:
		case v := <-p.verdicts:
			asking = false
			p.settle(v)
		case <-p.stop:
			return
		}
	}
}

// schedule begins a refill even if the ring is not low.
func (p *Padder) schedule() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.filling = true
}

// linger waits a moment for a wake-up without going to sleep, if the ring was refilled
// soon after the last refill: then it is being emptied about as fast as a goroutine wakes
// up. It reports whether a wake-up came.
func (p *Padder) linger() bool {
	p.mu.Lock()
	hot := p.hot
	p.mu.Unlock()
	if !hot {
		return false
	}
	for range lingerYields {
		select {
		case <-p.wake:
			return true
		case <-p.stop: // else takers that never rest would keep Close waiting
			return false
		default:
			runtime.Gosched()
		}
	}
	return false
}

// pad refills, arms the low-water mark, and says how long to sleep unless woken.
func (p *Padder) pad() (sleep time.Duration, again bool) {
	put, again := p.refill()
	latest := p.refilled(put)
	if again || latest <= 0 {
		return 0, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// A ring that is being filled and is not full waits for the pause to pass. Else
	// not armed means that it has become low meanwhile.
	if !p.filling && !p.mint.Arm(p.low()) {
		return 0, true
	}
	return max(min(p.sleep(p.c.Now()), latest), time.Millisecond), false
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

// guarded keeps a panic in the caller's code from ending the padder: it is counted and
// logged, and the step is tried again after a nap.
func (p *Padder) guarded(pad func() (time.Duration, bool)) (sleep time.Duration, again bool) {
	defer func() {
		if v := recover(); v != nil {
			p.fault("panic while minting; trying again", v)
			p.refilled(0) // of those who wait for ids, some may wait no longer
			sleep, again = nap, false
		}
	}()
	return pad()
}

func (p *Padder) fault(what string, v any) {
	p.mu.Lock()
	p.stats.Faults++
	p.mu.Unlock()
	p.c.Logger.Error(what, "panic", v)
}

// verdict is RejectPut's answer about a rest.
type verdict struct {
	about   rest
	discard bool
	fault   any // what it panicked with; nil when it returned
}

// ask asks RejectPut about a rest that it has not been asked about before.
func (p *Padder) ask(asked rest) (about rest, asking bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.rest.held || p.rest == asked || !p.full() {
		return asked, false
	}
	p.stats.Rejected++
	about = p.rest
	if p.c.RejectPut == nil {
		return about, false
	}
	ids := p.ids(about)
	go func() {
		v := verdict{about: about, fault: "the goroutine ended"}
		defer func() {
			if r := recover(); r != nil {
				v.fault = r
			}
			p.verdicts <- v // has room: one question at a time
		}()
		v.discard = p.c.RejectPut(about.tick, ids)
		v.fault = nil
	}()
	return about, true
}

// settle does what RejectPut said, unless the rest has been put meanwhile.
func (p *Padder) settle(v verdict) {
	if v.fault != nil {
		p.fault("panic in the reject-put handler; the rest of the tick is kept", v.fault)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if v.discard && p.rest == v.about {
		p.stats.Discarded += p.ids(p.rest)
		p.rest = rest{}
	}
}
