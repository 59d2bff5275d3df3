package uid

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// maxSleep is how long a take that waits, or a padder, goes without looking at the clock.
const maxSleep = time.Second

// errNoProgress ends a wait that made no progress and that no context bounds.
var errNoProgress = fmt.Errorf("nobody got an id for %v", progressTimeout)

// noContext marks a call that has no context. It is a context, but not a caller's.
var noContext = context.WithValue(context.Background(), noContextKey{}, true)

type noContextKey struct{}

// none is how many ids a call wants that only asks whether there are any ids.
const none = 0

// inVain reports whether waiting for b is useless, or takes longer than
// progressTimeout, which bounds a timed take.
func (b *block) inVain(timed bool) bool {
	return b.changed == nil && (b.until.IsZero() || timed && b.sleep() > progressTimeout)
}

// sleep is how long to wait for b to pass by itself.
func (b *block) sleep() time.Duration {
	if b.until.IsZero() {
		return math.MaxInt64
	}
	return max(b.until.Sub(b.now), time.Millisecond/8)
}

// ended says why a wait for b ended.
func (b *block) ended(ctx context.Context) *block {
	return &block{err: fmt.Errorf("%w: %w", b.err, context.Cause(ctx))}
}

// queue is that of takes that wait for ids, first come first served. One of them leads: it
// waits for the clock, or for the lease, and tries again. When its wait ends, with an id or
// without, the next one leads, and tries at once. So new ids wake as many takes as they
// suffice for, and one more: a million goroutines may wait for eight thousand ids a second. The
// queue is that of goroutines that send to a channel, which the runtime serves in order.
type queue struct {
	lead     chan struct{} // has room for the take that leads
	progress atomic.Int64  // when there were ids last, by core.mono
}

func (q *queue) begin() { q.lead = make(chan struct{}, 1) }

// await waits in the queue for a take that b blocks, and counts it. try gets its ids, or says why
// there are none now.
func (s *source) await(ctx context.Context, q *queue, b *block, try func() *block) error {
	if timed := ctx == noContext; !b.inVain(timed) {
		s.waits.Add(1)
		b = s.wait(ctx, timed, q, b, try)
		runtime.Gosched() // lets the next one go first, or this one would take all
	}
	switch {
	case b == nil:
		q.progress.Store(int64(s.mono())) // ids that others had made count, too
		return nil
	case s.life.Err() != nil:
		b = &block{err: ErrClosed}
	}
	s.rejected.Add(1)
	return b.err
}

// wait waits until there are ids, a final answer, or an end to waiting: that of ctx or, if
// timed, five seconds in which no take got an id. b is what is in the way.
func (s *source) wait(ctx context.Context, timed bool, q *queue, b *block,
	try func() *block) *block {
	if s.conf.RejectTake != nil {
		if err := s.ask(b.err); err != nil {
			return &block{err: err}
		}
	}
	if timed {
		waits, end := s.withTimeout(ctx, q)
		defer end()
		ctx = waits
	}
	select {
	case q.lead <- struct{}{}:
		defer func() { <-q.lead }()
		return s.lead(ctx, timed, try)
	case <-ctx.Done():
		return b.ended(ctx)
	}
}

// panicked counts and logs what the user's code did on a goroutine of the generator: it ends
// neither that goroutine nor the process. On the caller's own, a panic is the caller's.
func (s *source) panicked(what string, v any) {
	s.faults.Add(1)
	s.conf.Logger.Error(what, "panic", v)
}

// ask calls the reject-take handler, which is the user's. Its panic becomes the answer.
func (s *source) ask(reason error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			s.faults.Add(1)
			err = fmt.Errorf("%w: the reject-take handler panicked: %v", reason, v)
		}
	}()
	return s.conf.RejectTake(reason)
}

// lead tries until there are ids, a final answer or an end to waiting.
func (s *source) lead(ctx context.Context, timed bool, try func() *block) *block {
	for {
		b := try()
		if b == nil || b.inVain(timed) {
			return b
		}
		select {
		case <-time.After(min(b.sleep(), maxSleep)):
		case <-b.changed:
		case <-s.life.Done():
		case <-ctx.Done():
			return b.ended(ctx)
		}
	}
}

// withTimeout returns, for a take without a context, one that ends when it has waited in vain.
func (s *source) withTimeout(ctx context.Context, q *queue) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var timer *time.Timer
	timer = time.AfterFunc(math.MaxInt64, func() {
		left := progressTimeout - s.mono() + time.Duration(q.progress.Load())
		if left <= 0 {
			cancel(errNoProgress)
		} else if ctx.Err() == nil {
			timer.Reset(left)
		}
	})
	timer.Reset(progressTimeout) // now that the function sees it
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}
