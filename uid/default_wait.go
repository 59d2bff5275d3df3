package uid

import (
	"context"
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
	led  bool
	seen int64 // the sequence's highest value when it was last looked at
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

// wait waits until there are ids, a final answer, or an end to waiting: ctx's, or without
// one five seconds in which nobody got an id. b is what is in the way.
func (g *DefaultGenerator) wait(ctx context.Context, s *sequence, want int64, b *block) (ID, int64,
	*block) {
	if ctx == noContext && b.tooFar(g.c.Now()) {
		return 0, 0, b
	}
	l, w := &s.line, newWaiter(ctx, 0)
	called := !l.join(w)
	if called {
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
	var waited time.Duration
	for {
		if !called || b.pause > 0 { // who was called has waited, but not as a policy said
			if no := g.lead(ctx, s, w, b); no != nil {
				return 0, 0, no
			}
		}
		called = false
		waited += b.pause
		first, n, next := g.try(s, want, waited)
		if next == nil || next.final() {
			return first, n, next
		}
		b = next
	}
}

// lead waits for what is in the way, or as long as it may help to look again, for all in
// line. It returns what ends the leader's wait.
func (g *DefaultGenerator) lead(ctx context.Context, s *sequence, w *waiter, b *block) *block {
	for {
		now := g.c.Now()
		enough, again := s.patience(w, b.err)
		switch {
		case enough <= 0:
			return b.ended(errPatience)
		case ctx == noContext && b.tooFar(now):
			return b
		}
		timer := time.NewTimer(min(b.sleep(now), enough, again))
		select {
		case <-timer.C:
		case <-b.changed:
		case <-ctx.Done():
			timer.Stop()
			return b.ended(context.Cause(ctx))
		case <-g.life.Done():
			timer.Stop()
			return nil
		}
		timer.Stop()
		if b.pause == 0 || b.sleep(now) <= 0 {
			return nil
		}
	}
}

// patience ends the waits in line that were in vain, and returns how long the leader may
// wait, which is without end if a context bounds it, and when to look again.
func (s *sequence) patience(leader *waiter, why error) (enough, again time.Duration) {
	highest, _ := s.given()
	l := &s.line
	l.mu.Lock()
	defer l.mu.Unlock()
	if highest != l.seen { // takes that need not wait make progress, too
		l.seen, l.progress = highest, time.Now()
	}
	enough = math.MaxInt64
	if !leader.since.IsZero() {
		enough = patience - min(time.Since(leader.since), time.Since(l.progress))
	}
	return enough, l.overdue(why)
}
