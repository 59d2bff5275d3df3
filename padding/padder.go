package padding

import (
	"math"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
)

// Padder fills a ring. All methods may be called from any goroutine.
type Padder struct {
	mint Mint
	c    Config
	unit time.Duration // of a tick
	ripe time.Duration // how long ago a tick ended whose ids are old
	wake chan struct{} // one wake-up pending at most

	mu      sync.Mutex    // the critical section that mints and puts
	last    int64         // highest tick ever minted, whole or in part; math.MinInt64: none
	shown   int64         // highest tick that the clock has shown
	back    time.Duration // by which it was set back since, and has not caught up
	rest    rest          // what up to tick last is not put yet
	pause   *pause        // why nothing was minted when it was tried last; nil: nothing
	kept    int64         // of all earlier ticks, what the ring and spans had is dropped; or none
	filling bool          // a take asked for more, or the schedule's time came; it is not full yet
	asks    bool          // RejectPut is still to be asked about the rest
	closed  bool
	put     int64 // ids put into the ring
	stats   Stats // but for Left and Taken

	warned   bool      // that minting is paused, and not yet that it goes on
	warnedAt time.Time // the last time
	farAhead bool      // the log was told that ids are, and not yet that the clock has caught up
	backTold bool      // by which it was set back before that, too
}

// none is Padder.kept when there is nothing to drop.
const none = math.MaxInt64

// rest is what is minted and still to be put, if there is anything: the ids of the tick
// beginning with number from, and those of later ticks up to last.
type rest struct {
	tick, from int64
	held       bool
}

// ids is how many there are of a rest.
func (p *Padder) ids(r rest) int64 { return (p.last-r.tick+1)*p.c.IDs - r.from }

// New fills the ring once, and starts a padder that refills it for takes until Close.
func New(m Mint, c Config) *Padder {
	c.Run = max(c.Run, 1)
	c.Logger = asynclog.Logger(c.Logger) // lines are written inside the critical section
	p := &Padder{
		mint:  m,
		c:     c,
		unit:  c.Start(1).Sub(c.Start(0)),
		wake:  make(chan struct{}, 1),
		last:  math.MinInt64,
		shown: math.MinInt64,
		kept:  none,
	}
	// Half of MaxLag, so that a padder that is late keeps the promise; where a tick is longer
	// than that it is zero: at worst there are newer ids only once in a tick.
	if p.unit <= c.MaxLag/2 {
		p.ripe = c.MaxLag / 2
	}
	for more := true; more; {
		_, more = p.refill(always)
	}
	go p.run()
	return p
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
	defer p.rescue(minting)
	if put, _ = p.refill(ifLow); put > 0 {
		p.Wake()
	}
	return put
}

// Waiting says what keeps a tick from being minted now, whether or not the ring has room
// for it, and whether that is final; nil when one may be.
func (p *Padder) Waiting() (err error, final bool) {
	defer p.rescue(minting)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest.held {
		return nil, false
	}
	if _, _, w := p.next(p.c.Now()); w != nil {
		return w.err, w.final
	}
	return nil, false
}

// Stats returns the counters. It reads all slots of the ring.
func (p *Padder) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Left = p.mint.Left() // nobody puts or drops meanwhile
	s.Taken = p.put - s.Left - s.Dropped
	return s
}

// Reset calls change inside the critical section and forgets the rest that is not put:
// change may replace what the Mint mints with, and flush the ring; it returns how many
// ids were flushed. Everything that is put later is of a later tick.
func (p *Padder) Reset(change func() (flushed int64)) {
	defer p.Wake()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = rest{} // first: change calls what is not ours, which may panic
	p.pause = nil
	p.stats.Dropped += change()
}

// Close stops the padder. Nothing is put afterwards. Its goroutine ends soon, as soon as a
// RejectPut or Refilled that it may be in has returned; Close does not wait for that, so
// that those may call it.
func (p *Padder) Close() {
	defer p.Wake()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed, p.asks = true, false
}
