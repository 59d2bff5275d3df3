package uid

import (
	"context"
	"fmt"
	"math"
	"time"
)

// line is the takes of a sequence that wait, first come first served. One of them leads: it
// waits for the clock, or for the lease, and tries again. When its wait ends, with an id or
// without, the next in line leads, and tries at once. So a tick wakes as many as it has ids
// for, and one more.
//
//	led, unless nobody is in the queue
//
// The leader is not in the queue. Whoever was called to lead does, or passes the lead on,
// also when its context ended in the same moment.
type line struct {
	queue
	led   bool
	taken int64 // how many the sequence had given out when it was last looked at
}

// join puts a take in line, or has it lead.
func (l *line) join(w *waiter) (leads bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.led {
		l.push(w, false)
		return false
	}
	l.led = true
	return true
}

// pass ends a lead.
func (l *line) pass() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.next(); w != nil {
		l.call(w)
		return
	}
	l.led = false
}

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

// tooFar: waiting for it without a context would be in vain.
func (b *block) tooFar(now time.Time) bool { return b.changed == nil && b.sleep(now) > patience }

// ended says why a wait for b ended.
func (b *block) ended(why error) *block {
	return &block{err: fmt.Errorf("%w: %w", b.err, why)}
}

// wait waits until there are ids, a final answer, or an end to waiting: ctx's, or without
// one five seconds in which nobody got an id. b is what is in the way.
func (g *DefaultGenerator) wait(ctx context.Context, s *sequence, want int64,
	b *block) (first ID, n int64, _ *block) {
	if ctx == noContext && b.tooFar(g.c.Now()) {
		return 0, 0, b
	}
	l, w := &s.line, newWaiter(ctx, 0)
	waited := !l.join(w)
	if waited {
		select {
		case <-w.ready:
		case <-ctx.Done():
			if l.leave(w) {
				return 0, 0, b.ended(context.Cause(ctx))
			}
		}
		if w.err != nil {
			return 0, 0, &block{err: w.err}
		}
	}
	defer l.pass()
	for {
		if !waited {
			if no := g.lead(ctx, s, w, b); no != nil {
				return 0, 0, no
			}
		}
		waited = false
		if first, n, b = g.try(s, want); b == nil || b.final() {
			return first, n, b
		}
	}
}

// lead waits for what is in the way, or as long as it may help to look again, for all in
// line. It returns what ends the leader's wait.
func (g *DefaultGenerator) lead(ctx context.Context, s *sequence, w *waiter, b *block) *block {
	now := g.c.Now()
	enough, again := s.patience(w, b.err)
	switch {
	case enough <= 0:
		return b.ended(errPatience)
	case ctx == noContext && b.tooFar(now):
		return b
	}
	timer := time.NewTimer(min(b.sleep(now), enough, again))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-b.changed:
	case <-ctx.Done():
		return b.ended(context.Cause(ctx))
	case <-g.life.Done():
	}
	return nil
}

// patience ends the waits in line that were in vain, and returns how long the leader may
// wait, which is without end if a context bounds it, and when to look again.
func (s *sequence) patience(leader *waiter, why error) (enough, again time.Duration) {
	_, taken := s.given()
	l := &s.line
	l.mu.Lock()
	defer l.mu.Unlock()
	if taken != l.taken { // takes that need not wait make progress, too
		l.taken, l.progress = taken, time.Now()
	}
	enough = math.MaxInt64
	if !leader.since.IsZero() {
		enough = patience - min(time.Since(leader.since), time.Since(l.progress))
	}
	return enough, l.overdue(why)
}
