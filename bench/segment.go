package bench

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

// segment runs the loaders until limit has passed, the round's ids are taken, or the room for
// ids to verify is full. Then it verifies the ids.
func (r *run) segment(ctx context.Context, limit time.Duration) {
	// Calls are not cut off when the segment ends, only when the run does: otherwise the long ones
	// would be missing.
	if r.Count == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Duration-r.loadTime())
		defer cancel()
	}
	segment, end := context.WithTimeout(ctx, limit)
	defer end()
	r.over.Store(false)
	r.endSegment = end

	done := make(chan struct{})
	var guard sync.WaitGroup
	guard.Go(func() { r.guard(ctx, segment, done) })

	r.segmentStart.Store(int64(r.clock.now()))
	took := together(r.clock, r.Goroutines, func(i int) { r.loaders[i].load(ctx, segment) })
	r.segmentStart.Store(-1)
	r.spent.Add(int64(took))
	close(done)
	guard.Wait()
	r.after = r.Generator.Stats()
	r.check()
}

// guard tells the loaders when the segment is over, and wakes up takes that ignore ctx.
func (r *run) guard(ctx, segment context.Context, done <-chan struct{}) {
	select {
	case <-done:
		return
	case <-segment.Done():
		r.over.Store(true)
	}
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		r.close()
	}
}

func (r *run) check() {
	if r.seen == nil {
		return
	}
	for _, l := range r.loaders {
		if err := l.check(r.seen); err != nil {
			r.end(err)
		}
	}
}

// claim takes up to n ids off those left in the round.
func (r *run) claim(n int) int {
	if r.Count == 0 {
		return n
	}
	if left := r.left.Add(-int64(n)); left < 0 {
		back := min(-left, int64(n))
		r.left.Add(back)
		return n - int(back)
	}
	return n
}

// unclaim gives back the claim to n ids that were not taken.
func (r *run) unclaim(n int) {
	if r.Count > 0 {
		r.left.Add(int64(n))
	}
}

// seen is a set of ids, and what was found when they were added.
type seen struct {
	*idset.Set
	limit int64 // bytes

	ids        int64 // that were added, including duplicates
	duplicates int64
	first      uid.ID // of the duplicates
}

// add checks ids and keeps them. It fails when the set is full.
func (s *seen) add(ids []uid.ID) error {
	for _, id := range ids {
		if s.Add(id) {
			if s.duplicates == 0 {
				s.first = id
			}
			s.duplicates++
		}
		if s.Bytes() > s.limit {
			return memoryError(s.Bytes(), s.limit)
		}
		s.ids++
	}
	return nil
}

func memoryError(need, limit int64) error {
	return fmt.Errorf("%w: they need %s or more, and half of the free memory was %s: take fewer",
		errMemory, humanize.IBytes(uint64(need)), humanize.IBytes(uint64(limit)))
}

// outOfOrder counts the ids that are not above the one before them, last being
// the one before the first.
func outOfOrder(ids []uid.ID, last uid.ID) (n int64) {
	for _, id := range ids {
		if id <= last {
			n++
		}
		last = id
	}
	return n
}
