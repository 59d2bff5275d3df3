package bench

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/uid"
)

// Sizes of the loaders' buffers, in ids: the scratch buffer stays in the first-level cache;
// keptIDs is what all loaders together keep of a segment to verify it.
const (
	scratchIDs = 1 << 10
	keptIDs    = 1 << 23
	leastKept  = 1 << 12 // per loader
)

// A loader is one of the goroutines that take ids.
type loader struct {
	run     *run
	taker   taker
	unit    int      // ids per call
	stride  int      // calls per timed call
	next    int64    // in an open loop: the next call's number among those of all loaders
	sampler *sampler // of the first loader

	calls    *hdrhistogram.Histogram
	scratch  []uid.ID // where ids go
	kept     []uid.ID // with Verify: the ids of this segment
	last     uid.ID   // with Verify: the last id of the segments before
	unsorted int64

	_   cacheline.Pad
	ids atomic.Int64 // taken; only the loader writes it
	_   cacheline.Pad
}

func newLoader(r *run, i int) *loader {
	l := &loader{
		run:    r,
		taker:  newTaker(r.Config),
		unit:   max(r.Batch, 1),
		stride: 1,
		next:   int64(i),
		calls:  newHistogram(),
		last:   -1,
	}
	if i == 0 {
		l.sampler = r.sampler
	}
	l.scratch = make([]uid.ID, l.unit*max(scratchIDs/l.unit, 1))
	if r.Verify {
		calls := max(keptIDs/r.Goroutines, leastKept) / l.unit
		l.kept = make([]uid.ID, 0, max(calls, 1)*l.unit)
		clear(l.kept[:cap(l.kept)]) // makes the pages exist before the clock runs
	}
	return l
}

// load takes ids until the segment has ended. Takes get ctx, which lasts longer.
func (l *loader) load(ctx, segment context.Context) {
	if l.run.Rate > 0 {
		l.open(ctx, segment)
	} else {
		l.closed(ctx)
	}
}

// closed takes ids as fast as it can, and times the first call of each stride. It makes at
// least one call: on a busy machine a short segment is over before the loader gets to run.
func (l *loader) closed(ctx context.Context) {
	r := l.run
	last := r.clock.now()
	for begun := false; !begun || !r.over.Load(); begun = true {
		n := l.claim(l.stride * l.unit)
		if n == 0 {
			return
		}
		first := min(l.unit, n)
		start := r.clock.now()
		ok := l.take(ctx, first)
		end := r.clock.now()
		if !ok {
			r.unclaim(n - first)
			if ctx.Err() != nil {
				record(l.calls, end-start, 1) // the wait of a call without an answer
				return
			}
			continue
		}
		record(l.calls, end-start, 1)
		l.sampler.observe(end)
		l.stride = nextStride(l.stride, end-last)
		last = end
		if !l.take(ctx, n-first) && ctx.Err() != nil {
			record(l.calls, r.clock.now()-end, 1)
			return
		}
	}
}

// open makes its share of the calls when they are due. Only load time counts: the schedule
// stands still between two segments.
func (l *loader) open(ctx, segment context.Context) {
	r := l.run
	start := r.clock.now() - time.Duration(r.spent.Load())
	for !r.over.Load() {
		due := start + l.due()
		if !r.await(segment, due) || l.claim(1) == 0 {
			return
		}
		if l.take(ctx, 1) {
			end := r.clock.now()
			record(l.calls, end-due, 1)
			l.sampler.observe(end)
		} else if ctx.Err() != nil {
			return // the call has no answer, so it stays due
		}
		l.skip(1)
	}
}

// claim takes up to n ids off what is left for the run to do, and fewer if there is no room to
// keep more. If there is no room at all, the segment is over.
func (l *loader) claim(n int) int {
	if l.run.seen != nil {
		n = min(n, cap(l.kept)-len(l.kept))
		if n == 0 {
			l.run.endSegment()
			return 0
		}
	}
	return l.run.claim(n)
}

// take takes n claimed ids. It gives back the claim to ids that it does not get, and reports
// whether it got all of them.
func (l *loader) take(ctx context.Context, n int) bool {
	for n > 0 {
		dst := l.scratch[:min(n, len(l.scratch))]
		if l.run.seen != nil {
			dst = l.kept[len(l.kept) : len(l.kept)+n]
		}
		got, err := l.taker.take(ctx, dst)
		if l.run.seen != nil {
			l.kept = l.kept[:len(l.kept)+got]
		}
		l.ids.Store(l.ids.Load() + int64(got))
		n -= got
		if err != nil {
			l.run.unclaim(n)
			l.run.failed(ctx, err)
			return false
		}
	}
	return true
}

func (l *loader) check(s *seen) error {
	if len(l.kept) == 0 {
		return nil
	}
	if l.run.Batch == 0 { // batches promise no order
		l.unsorted += outOfOrder(l.kept, l.last)
	}
	l.last = l.kept[len(l.kept)-1]
	err := s.add(l.kept)
	l.kept = l.kept[:0]
	return err
}

// How a wait is spent: timers are late by up to about a millisecond, so only long waits sleep.
// The rest is spent spinning, yielding to other goroutines (the generator's padder needs a CPU
// too) until there is no time left for that.
const (
	sleepAbove = 2 * time.Millisecond
	yieldAbove = 500 * time.Nanosecond
)

// spin waits until the clock shows due, and reports false if the segment ended first.
func (r *run) spin(segment context.Context, due time.Duration) bool {
	for {
		wait := due - r.clock.now()
		switch {
		case wait <= 0:
			return true
		case r.over.Load():
			return false
		case wait > sleepAbove:
			timer := time.NewTimer(wait - sleepAbove)
			select {
			case <-timer.C:
			case <-segment.Done():
				timer.Stop()
				return false
			}
		case wait > yieldAbove:
			runtime.Gosched()
		}
	}
}
