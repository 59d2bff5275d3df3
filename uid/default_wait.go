package uid

import (
	"context"
	"fmt"
	"math"
	"time"
)

// block is why a default generator has no id now.
type block struct {
	err     error
	until   time.Time       // wait until the clock shows this,
	changed <-chan struct{} // or for this
}

func (b *block) final() bool { return b.until.IsZero() && b.changed == nil }

// sleep is how long to wait for b to pass by itself.
func (b *block) sleep(now time.Time) time.Duration {
	if b.until.IsZero() {
		return math.MaxInt64
	}
	return max(b.until.Sub(now), time.Millisecond/8)
}

// ended says why a wait for b ended.
func (b *block) ended(why error) *block {
	return &block{err: fmt.Errorf("%w: %w", b.err, why)}
}

// wait waits until there are ids, a final answer, or an end to waiting: ctx's, or without
// one five seconds in which nobody got an id. b is what is in the way.
//
// Takes of a sequence that wait are served first come first served. One of them leads: it
// waits for the clock, or for the lease, and tries again. When its wait ends, with an id or
// without, the next in line leads, and tries at once. So a tick wakes as many as it has ids
// for, and one more. The line is that of the goroutines that send to a channel, which the
// runtime serves in turn.
func (g *DefaultGenerator) wait(ctx context.Context, s *sequence, want int64,
	b *block) (first ID, n int64, _ *block) {
	patient := ctx == noContext
	if patient {
		if b.changed == nil && b.sleep(g.c.Now()) > patience {
			return 0, 0, b // it would be in vain
		}
		waits, end := s.patience()
		defer end()
		ctx = waits
	}
	select {
	case s.lead <- struct{}{}:
		defer func() { <-s.lead }()
	case <-ctx.Done():
		return 0, 0, b.ended(context.Cause(ctx))
	}
	for {
		if first, n, b = g.try(s, want); b == nil || b.final() {
			return first, n, b
		}
		s.progressed()
		sleep := b.sleep(g.c.Now())
		if patient && b.changed == nil && sleep > patience {
			return 0, 0, b
		}
		timer := time.NewTimer(min(sleep, nap))
		select {
		case <-timer.C:
		case <-b.changed:
		case <-g.life.Done():
		case <-ctx.Done():
			timer.Stop()
			return 0, 0, b.ended(context.Cause(ctx))
		}
		timer.Stop()
	}
}

// patience returns a context that ends when a take that has no other has waited in vain.
// Whoever leads looks for progress, after a nap at the latest.
func (s *sequence) patience() (_ context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	since := time.Now()
	var timer *time.Timer
	s.mu.Lock() // which the function waits for
	defer s.mu.Unlock()
	timer = time.AfterFunc(patience, func() {
		progress := s.progressed()
		left := patience - min(time.Since(since), time.Since(progress))
		if left <= 0 {
			cancel(errPatience)
		} else if ctx.Err() == nil {
			timer.Reset(left)
		}
	})
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// progressed returns when somebody got an id of the sequence, as far as is known.
func (s *sequence) progressed() time.Time {
	_, taken := s.given()
	s.mu.Lock()
	defer s.mu.Unlock()
	if taken != s.seen { // takes that need not wait make progress, too
		s.seen, s.progress = taken, time.Now()
	}
	return s.progress
}
