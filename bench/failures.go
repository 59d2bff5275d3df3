package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// stallLimit is how long all takes may fail before the run is given up.
const stallLimit = time.Second

// failures records the takes that got no id.
type failures struct {
	mu     sync.Mutex
	errors int64
	first  string // message

	lastIDs  int64         // ids taken until lastTime
	lastTime time.Duration // when new ids were last seen
}

// failed counts the error of a take, unless the error only says that the load is over. It ends
// the run if no more ids will come; otherwise it holds the caller back a little.
func (r *run) failed(ctx context.Context, err error) {
	final := errors.Is(err, uid.ErrTimeOver) || errors.Is(err, uid.ErrLeaseLost) ||
		errors.Is(err, uid.ErrClosed) && !r.closed.Load()
	if !final && (ctx.Err() != nil || r.closed.Load()) {
		return
	}
	r.failures.count(err)
	switch ids, now := r.ids(), r.clock.now(); {
	case final:
		r.end(fmt.Errorf("%w: no more ids will come: %w", errTakes, err))
	case r.failures.stalled(ids, now):
		r.end(fmt.Errorf("%w: not one id in %v: %w", errTakes, stallLimit, err))
	}
	select {
	case <-time.After(time.Millisecond):
	case <-ctx.Done():
	}
}

func (f *failures) count(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors++
	f.first = cmp.Or(f.first, err.Error())
}

// stalled reports whether there have been no ids, only errors, for stallLimit.
func (f *failures) stalled(ids int64, now time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.errors == 1 || ids != f.lastIDs {
		f.lastIDs, f.lastTime = ids, now
	}
	return now-f.lastTime >= stallLimit
}
