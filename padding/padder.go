package padding

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Mint is what the padder drives. The padder calls all but Refilled and Panicked inside its
// critical section, one call at a time.
type Mint interface {
	// Drop begins a refill: it looks at the clock, and removes ids that are old from the ring.
	// It returns how many those were, and whether the ring is to be full for the time after
	// the last tick that is granted.
	Drop() (dropped int64, hoard bool)

	// Level reports whether the ring is so low that it is to be refilled, and whether it is full.
	Level() (low, full bool)

	// Put puts ids that it has left, or else the ids of the next ticks, as many as fit.
	// It puts none when the ring is full, or when no tick may be minted.
	Put() (put int64, full bool)

	// Arm asks for one call of Wake, by the take after which the ring is low. If it is low
	// already, Arm returns false, and Wake will not be called. An empty ring is not armed.
	Arm() bool

	// Sleep is how long there is nothing to do, unless somebody wakes the padder. filling says
	// that the ring is being filled, and not full because no tick may be minted.
	Sleep(filling bool) time.Duration

	// Refilled is called on the padder's goroutine after each refill, with the number of ids
	// that were put, and again after what it returns, at the latest: math.MaxInt64 if nobody
	// waits for ids, and at once for 0.
	Refilled(put int64) (again time.Duration)

	// Panicked is called instead after a panic of another method. Those are tried again after
	// a nap.
	Panicked(v any)
}

// Padder fills a ring. Start must be called once, first, on a zero Padder; all other methods
// may be called from any goroutine.
type Padder struct {
	mint Mint
	wake chan struct{} // one wake-up pending at most

	mu      sync.Mutex  // the critical section that mints and puts
	filling bool        // a take asked for more, or the schedule's time came; it is not full yet
	closed  atomic.Bool // changes inside it
}

// Start fills the ring once, and refills it for takes until Close, and at each interval of the
// schedule, unless that is 0.
func (p *Padder) Start(m Mint, schedule time.Duration) {
	p.mint, p.wake = m, make(chan struct{}, 1)
	for more := true; more; {
		_, more = p.refill(always)
	}
	go p.run(schedule)
}

// Wake asks for a refill. It never blocks; while one wake-up is pending, more have no
// effect.
func (p *Padder) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Help refills the ring as the padder does, on the goroutine of a take that found it
// empty: the padder sleeps, and when a million goroutines are ready to run, it may not get a
// CPU for a long time. It returns how many ids it put, and wakes the padder, which drops them
// when they are old.
func (p *Padder) Help() (put int64) {
	defer p.rescue()
	if put, _ = p.refill(ifLow); put > 0 {
		p.Wake()
	}
	return put
}

// Do calls f inside the critical section: nothing is minted, put or dropped meanwhile.
func (p *Padder) Do(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// Close stops the padder. Nothing is put afterwards. Its goroutine ends soon, as soon as a
// Refilled that it may be in has returned; Close does not wait for that, so that Refilled may
// call it.
func (p *Padder) Close() {
	p.Do(func() { p.closed.Store(true) })
	p.Wake()
}

// nap is how long the padder sleeps after a panic.
const nap = time.Second

// burst is how often ids are put under one lock and with one reading of the clock.
const burst = 64

// request is what a refill is for.
type request int

const (
	toDrop request = iota // old ids, and no more
	ifLow                 // to fill the ring if it is low: a take asked for more
	always                // to fill it unless it is full
)

// run is the padder's goroutine.
func (p *Padder) run(schedule time.Duration) {
	tick := time.Tick(schedule) // nil for none
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	next := ifLow
	for !p.closed.Load() {
		var sleep time.Duration
		if sleep, next = p.step(next); sleep == 0 {
			continue
		}
		timer.Reset(sleep)
		select {
		case <-p.wake:
			next = ifLow
		case <-tick:
			next = always
		case <-timer.C:
		}
	}
}

// step refills, arms the low-water mark, and says how long to sleep unless woken, zero being
// not at all, and what is to be done then: somebody who waits for ids asks for them again.
func (p *Padder) step(r request) (sleep time.Duration, next request) {
	sleep, next = nap, ifLow // after a panic
	defer p.rescue()
	put, more := p.refill(r)
	latest := p.mint.Refilled(put)
	if more || latest <= 0 {
		return 0, ifLow
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// A ring that is being filled and is not full waits until a tick may be minted. Any other
	// one that cannot be armed was made low by takes meanwhile.
	if !p.filling && !p.mint.Arm() {
		return 0, ifLow
	}
	sleep = max(min(p.mint.Sleep(p.filling), latest), time.Millisecond)
	if latest == math.MaxInt64 {
		next = toDrop
	}
	return sleep, next
}

// refill drops old ids. Then, if the ring shall be filled, it puts ids until the ring is
// full or nothing may be minted. It reports whether to continue at once, because the padder
// only yielded for a moment.
func (p *Padder) refill(r request) (put int64, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed.Load() {
		return 0, false
	}
	dropped, hoard := p.mint.Drop()
	if dropped > 0 {
		p.filling = false // nobody waits for ids while there are some
	}
	if low, full := p.mint.Level(); r == ifLow && low || (r == always || hoard) && !full {
		p.filling = true
	}
	for range burst {
		if !p.filling {
			return put, false
		}
		n, full := p.mint.Put()
		if p.filling = !full; n == 0 {
			return put, false
		}
		put += n
	}
	return put, true
}

// rescue, which is deferred, keeps a panic of the Mint, or of what it calls, from ending the
// padder.
func (p *Padder) rescue() {
	if v := recover(); v != nil {
		p.mint.Panicked(v)
	}
}
