package padding

import (
	"context"
	"sync"
	"time"
)

// Mint is what the padder drives: it makes ids, and puts them into a ring.
type Mint interface {
	// Refill drops ids that are old, and fills the ring if r asks for that and ticks may be
	// minted. It returns how many ids it put, and whether it is to be called again at once,
	// because it only yielded. The padder calls it inside its critical section.
	Refill(r Request) (put int64, more bool)

	// Arm has the take that makes the ring low call Wake, and returns how long there is nothing
	// to do unless that happens; 0 if the ring is low already. The padder calls it inside its
	// critical section.
	Arm() time.Duration

	// Refilled is called on the padder's goroutine after each refill, outside of its critical
	// section.
	Refilled()

	// Panicked is called after a panic of another method, or after one has ended the padder's
	// goroutine (runtime.Goexit), in place of those that would have followed. After a second the
	// padder tries again.
	Panicked(v any)
}

// Request is what a refill is for.
type Request int

const (
	ToDrop Request = iota // to drop old ids, and no more
	IfLow                 // to fill the ring if it is low: a take asked for more
	Always                // to fill it unless it is full
)

// Padder keeps a ring filled. Start must be called once, first, on a zero Padder; all other
// methods may be called from any goroutine.
type Padder struct {
	mint Mint
	life context.Context
	wake chan struct{} // one wake-up pending at most
	mu   sync.Mutex    // the critical section that mints, puts and drops
}

// Start refills the ring as for a take. The padder then does so when it is woken, and fills the
// ring at each interval of the schedule, unless that is 0, until life ends. Then it puts nothing
// once the critical section is free, and its goroutine ends as soon as a Refilled that it may be
// in has returned.
func (p *Padder) Start(life context.Context, m Mint, schedule time.Duration) {
	p.life, p.mint, p.wake = life, m, make(chan struct{}, 1)
	for more := true; more; {
		_, more = p.refill(IfLow)
	}
	go p.run(schedule, 0)
}

// Wake asks for a refill. It never blocks; while one wake-up is pending, more have no
// effect.
func (p *Padder) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Do calls f inside the critical section: the padder mints, puts and drops nothing meanwhile.
func (p *Padder) Do(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// run is the padder's goroutine. It begins with a sleep.
func (p *Padder) run(schedule, sleep time.Duration) {
	defer func() {
		if p.life.Err() == nil { // the mint has ended this goroutine
			p.mint.Panicked("runtime.Goexit")
			go p.run(schedule, time.Second)
		}
	}()
	tick := time.Tick(schedule) // nil for none
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for next := IfLow; p.life.Err() == nil; {
		if sleep == 0 {
			sleep, next = p.step(next)
			continue
		}
		timer.Reset(sleep)
		select {
		case <-p.wake:
			next = IfLow
		case <-tick:
			next = Always
		case <-timer.C:
		case <-p.life.Done():
		}
		sleep = 0
	}
}

// step refills the ring, and returns how long to sleep unless woken (0: not at all), and what
// to do then.
func (p *Padder) step(r Request) (sleep time.Duration, next Request) {
	sleep, next = time.Second, IfLow // after a panic
	defer p.rescue()
	_, more := p.refill(r)
	p.mint.Refilled()
	if more {
		return 0, r
	}
	p.Do(func() { sleep = p.mint.Arm() })
	if sleep > 0 {
		next = ToDrop
	}
	return sleep, next
}

func (p *Padder) refill(r Request) (put int64, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.life.Err() != nil {
		return 0, false
	}
	return p.mint.Refill(r)
}

// rescue, which is deferred, keeps a panic of the Mint, or of what it calls, from ending the
// padder.
func (p *Padder) rescue() {
	if v := recover(); v != nil {
		p.mint.Panicked(v)
	}
}
