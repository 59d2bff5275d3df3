package padding

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/internal/notice"
)

// Padder keeps a ring full. All methods may be called from any goroutine.
type Padder struct {
	mint Mint
	c    Config

	mu    sync.Mutex // the critical section that mints and puts
	last  int64      // highest tick ever minted, whole or in part; math.MinInt64: none
	rest  rest       // what of tick last did not fit
	pause *pause     // why the last refill ended early; nil: it did not
	stats Stats
	at    time.Time // of the last refill, by the wall clock that Config gives
	hot   bool      // the last refill came at once after the one before

	warned   bool      // that minting waits for the lease, and not yet that it goes on
	warnedAt time.Time // the last time

	refilled broadcast.Signal
	wake     chan struct{} // one wake-up pending at most
	verdicts chan verdict
	stop     chan struct{}
	done     chan struct{}
	closing  sync.Once
}

// rest is a tick of which the ids from the from-th on are still to be put;
// from 0 means none.
type rest struct{ tick, from int64 }

// pause is why nothing may be minted now.
type pause struct {
	err   error
	until time.Time // when to look again by itself; zero: only when woken
	final bool      // never again
}

// New makes a padder, fills the ring once, and starts to keep it full until
// Close.
func New(m Mint, c Config) *Padder {
	c.Logger = notice.Logger(c.Logger) // lines are written inside the critical section
	p := &Padder{
		mint:     m,
		c:        c,
		last:     math.MinInt64,
		wake:     make(chan struct{}, 1),
		verdicts: make(chan verdict, 1),
		stop:     make(chan struct{}),
		done:     make(chan struct{}),
	}
	for p.refill() {
	}
	go p.run()
	return p
}

// Wake asks for a refill. It never blocks, and while one wake-up is pending
// more of them are the same one.
func (p *Padder) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Refilled returns a channel that is closed when ids have been put after the
// call, or when there is no more hope of it.
func (p *Padder) Refilled() <-chan struct{} { return p.refilled.Next() }

// Waiting says why nothing is minted, and whether that is final; nil when
// nothing is in the way and the padder is at work or has no need to be.
func (p *Padder) Waiting() (err error, final bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pause == nil {
		return nil, false
	}
	return p.pause.err, p.pause.final
}

// Last is the highest tick of which an id was ever put; math.MinInt64 for none.
func (p *Padder) Last() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// Stats returns the counters.
func (p *Padder) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Reset calls change inside the critical section and forgets the rest of the
// last tick: change may swap what the Mint mints with, and flush the ring, whose
// number of ids it returns. Whatever is put later is of a later tick.
func (p *Padder) Reset(change func() (flushed int64)) {
	p.mu.Lock()
	p.stats.Dropped += change() + p.dropRest()
	p.pause = nil
	p.mu.Unlock()
	p.Wake()
}

// Close stops the padder and waits for its goroutine. A RejectPut that blocks is
// left behind. Nothing is put after it.
func (p *Padder) Close() {
	p.closing.Do(func() { close(p.stop) })
	<-p.done
	p.refilled.Send()
}

// dropRest forgets the rest of the last tick and returns how many ids it had.
func (p *Padder) dropRest() (dropped int64) {
	if p.rest.from > 0 {
		dropped = p.c.IDs - p.rest.from
	}
	p.rest = rest{}
	return dropped
}

// refill drops what is too old, then mints and puts until the ring is full or
// nothing may be minted. It reports whether to go on at once because the padder
// gave way for a moment.
func (p *Padder) refill() (more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.c.Now()
	p.dropOld(now)
	put := int64(0)
	for range burst {
		n, ok := p.step(now)
		put += n
		if more = ok; !ok {
			break
		}
	}
	if put > 0 {
		p.stats.Put += put
		p.stats.Refills++
		p.hot = now.Sub(p.at) < hotInterval && now.After(p.at)
		p.at = now
		p.refilled.Send()
	}
	return more
}

// burst is how many ticks are put under one lock and one reading of the clock.
const burst = 64

// step puts one tick, or the rest of one, and reports whether another may follow.
func (p *Padder) step(now time.Time) (put int64, more bool) {
	if p.mint.Full() {
		p.setPause(nil)
		return 0, false
	}
	if p.rest.from == 0 {
		tick, pause := p.next(now)
		p.setPause(pause)
		if pause != nil {
			return 0, false
		}
		p.rest.tick, p.last = tick, tick
	}
	put = p.mint.Put(p.rest.tick, p.rest.from)
	if p.rest.from += put; p.rest.from < p.c.IDs {
		return put, false
	}
	p.rest = rest{}
	return put, true
}

// next is the tick to mint, or why there is none now.
func (p *Padder) next(now time.Time) (int64, *pause) {
	g := p.mint.Grant()
	tick := max(p.c.Tick(now), g.Lo)
	if p.last != math.MinInt64 {
		tick = max(tick, p.last+1)
	}
	p.mint.Want(tick)
	switch {
	case tick > g.Hi && g.Final:
		return 0, &pause{err: g.Why, final: true}
	case tick > g.Hi && g.Why != nil:
		return 0, &pause{err: fmt.Errorf("%w: %w", ErrGrant, g.Why)}
	case g.Lo > g.Hi:
		return 0, &pause{err: fmt.Errorf("%w: there is none, and more has been asked for", ErrGrant)}
	case tick > g.Hi:
		return 0, &pause{err: fmt.Errorf("%w: the last ends at %s and more has been asked for", ErrGrant, p.time(g.Hi+1))}
	case g.Punctual:
		return p.inTime(tick, now, 0)
	case p.c.MaxAhead > 0:
		return p.inTime(tick, now, p.c.MaxAhead)
	}
	return tick, nil
}

// inTime holds back a tick that begins more than ahead after now.
func (p *Padder) inTime(tick int64, now time.Time, ahead time.Duration) (int64, *pause) {
	if tick <= p.c.Tick(now.Add(ahead)) {
		return tick, nil
	}
	until := p.c.Start(tick).Add(-ahead)
	return 0, &pause{err: fmt.Errorf("%w, %v: the next tick may be minted at %s", ErrAhead, ahead, until.Format(time.RFC3339Nano)), until: until}
}

func (p *Padder) time(tick int64) string { return p.c.Start(tick).Format(time.RFC3339Nano) }

// setPause notes why minting stopped, or that it goes on, and says so in the log
// when that is news.
func (p *Padder) setPause(next *pause) {
	was := p.pause
	p.pause = next
	switch {
	case next != nil && next.final && (was == nil || !was.final):
		p.c.Logger.Error("no more ids can be minted", "reason", next.err)
		p.refilled.Send() // those who wait shall not wait in vain
	case next != nil && next.until.IsZero() && was == nil:
		p.waitsForLease(next.err)
	case next == nil && p.warned:
		p.warned = false
		p.c.Logger.Info("minting goes on")
	}
}

// waitsForLease says so, but not each second: a load that asks for all that is granted
// waits again and again.
func (p *Padder) waitsForLease(why error) {
	now := p.c.Now()
	if p.warned || now.Sub(p.warnedAt).Abs() < time.Minute {
		return
	}
	p.warned, p.warnedAt = true, now
	p.c.Logger.Warn("minting waits for the lease", "reason", why)
}

// dropOld takes out the ids whose tick ended more than MaxLag before now.
func (p *Padder) dropOld(now time.Time) {
	if p.c.MaxLag < 0 {
		return
	}
	// Of the tick that holds now-MaxLag, and of all later ones, the end is
	// younger.
	before := p.c.Tick(now.Add(-p.c.MaxLag))
	p.stats.Dropped += p.mint.Drop(before)
	if p.rest.from > 0 && p.rest.tick < before {
		p.stats.Dropped += p.dropRest()
	}
}
