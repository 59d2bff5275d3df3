package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

// Run puts a generator under load and reports. The report has whatever was measured, even
// when there is an error:
//
//   - ErrConfig, wrapped: nothing was run
//   - the context's cause, wrapped: it ended the run, the report is partial
//   - ErrDuplicate, wrapped: an id came twice
//   - another error: ids out of order, or what ended the run early, such as takes that fail, or
//     more ids to verify than there is memory for
//
// A run ends early when no take can succeed any more: when the generator says so (its
// time is over, its lease is lost), or when all takes have failed for a second.
func Run(ctx context.Context, c Config) (Report, error) {
	full, err := c.withDefaults()
	if err != nil {
		if c.Generator != nil {
			err = errors.Join(err, c.Generator.Close())
		}
		return Report{}, err
	}
	r, err := newRun(full).do(ctx)
	return r, err
}

func (r *run) do(ctx context.Context) (Report, error) {
	load, end := context.WithCancelCause(ctx)
	defer end(nil)
	r.end = end

	measureBaseline(r.clock, r.Goroutines, mostAdds) // not counted: it wakes the CPUs up
	for !r.done(load) {
		r.round(load)
	}
	r.countOverdue()
	r.close()
	report := r.report()
	return report, errors.Join(r.failure(ctx, load), r.closeErr, r.wrongIDs(report))
}

// A run has this many rounds, between which the atomic adds are measured. It has fewer if there
// are few ids, so that each round is long enough to be timed.
const (
	rounds   = 10
	roundIDs = 100_000
)

// grace is how long after the end of the load a take may still wait before the
// generator is closed under it.
const grace = 100 * time.Millisecond

type run struct {
	Config
	clock    clock
	started  time.Time
	before   uid.Stats
	after    uid.Stats // of the last segment
	loaders  []*loader
	seen     *seen    // nil: not verifying
	sampler  *sampler // nil: without detail
	failures failures

	// end ends the run early; the first cause counts.
	end context.CancelCauseFunc
	// endSegment ends the present segment.
	endSegment context.CancelFunc
	// await waits until the clock shows due; it returns false if the segment ends first.
	await func(segment context.Context, due time.Duration) bool

	rounds   []round
	todo     int64 // ids of Count that are left to take
	neverRan int64 // calls of an open loop

	left         atomic.Int64 // of todo, in this round
	spent        atomic.Int64 // nanoseconds under load, without the present segment
	segmentStart atomic.Int64 // on the clock; negative between segments
	over         atomic.Bool  // the segment has ended
	closed       atomic.Bool  // we have closed the generator
	closing      sync.Once
	closeErr     error
}

func newRun(c Config) *run {
	r := &run{Config: c, clock: clock{time.Now()}, started: time.Now(), todo: c.Count}
	r.before = c.Generator.Stats()
	r.after = r.before
	r.await = r.spin
	r.segmentStart.Store(-1)
	if c.Verify {
		r.seen = &seen{Set: idset.New(c.Generator.Layout()), limit: c.verifyMemory}
	}
	if c.Detail {
		r.sampler = &sampler{run: r, interval: sampleInterval}
	}
	for i := range c.Goroutines {
		r.loaders = append(r.loaders, newLoader(r, i))
	}
	return r
}

func (r *run) done(ctx context.Context) bool {
	if r.Count > 0 {
		return ctx.Err() != nil || r.todo == 0
	}
	return ctx.Err() != nil || r.loadTime() >= r.Duration
}

// round measures the atomic adds, and then a tenth of the load.
func (r *run) round(ctx context.Context) {
	ids, start := r.ids(), r.loadTime()
	quota, end := int64(math.MaxInt64), time.Duration(math.MaxInt64)
	if r.Count > 0 {
		quota = min(max(r.Count/rounds, roundIDs), r.todo)
	} else {
		end = min(start+r.Duration/rounds+1, r.Duration)
	}
	add, call := measureBaseline(r.clock, r.Goroutines, min(quota, roundAdds(end-start)))
	r.left.Store(quota)
	for ctx.Err() == nil && r.left.Load() > 0 && r.loadTime() < end {
		r.segment(ctx, end-r.loadTime())
	}
	if r.Count > 0 {
		r.todo -= quota - r.left.Load()
	}
	r.rounds = append(r.rounds, round{r.ids() - ids, r.loadTime() - start, add, call})
}

func (r *run) ids() (n int64) {
	for _, l := range r.loaders {
		n += l.ids.Load()
	}
	return n
}

// loadTime returns how long the generator was under load.
func (r *run) loadTime() time.Duration {
	spent := time.Duration(r.spent.Load())
	if start := r.segmentStart.Load(); start >= 0 {
		spent += r.clock.now() - time.Duration(start)
	}
	return spent
}

func (r *run) close() {
	r.closing.Do(func() {
		r.closed.Store(true)
		if err := r.Generator.Close(); err != nil {
			r.closeErr = fmt.Errorf("bench: closing the generator: %w", err)
		}
	})
}

// failure returns why the run ended early, or which takes failed.
func (r *run) failure(ctx, load context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("bench: interrupted: %w", err)
	}
	if err := context.Cause(load); err != nil {
		return err
	}
	if n := r.failures.errors; n > 0 {
		return fmt.Errorf("%w: %s, the first: %s", errTakes, humanize.Comma(n), r.failures.first)
	}
	return nil
}

func (r *run) wrongIDs(rep Report) error {
	var errs []error
	if n := rep.Duplicates; n != nil && *n > 0 {
		errs = append(errs, fmt.Errorf("%w: %s, the first: %d",
			ErrDuplicate, humanize.Comma(*n), r.seen.first))
	}
	if n := rep.OrderViolations; n != nil && *n > 0 {
		errs = append(errs, fmt.Errorf("%w: %s", errOrder, humanize.Comma(*n)))
	}
	return errors.Join(errs...)
}
