package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// hopeless is how long nothing but errors may come.
const hopeless = time.Second

// trouble collects what goes wrong.
type trouble struct {
	mu     sync.Mutex
	errors int64
	first  []string // distinct messages

	idsThen int64 // ids got at the time then
	then    time.Duration
}

// failed counts the error of a take, unless it only says that the load was over.
// It ends the run when no more ids will come, and holds the caller back a little
// otherwise.
func (r *run) failed(ctx context.Context, err error) {
	final := errors.Is(err, uid.ErrTimeOver) || errors.Is(err, uid.ErrLeaseLost) ||
		errors.Is(err, uid.ErrClosed) && !r.closed.Load()
	if !final && (ctx.Err() != nil || r.closed.Load()) {
		return
	}
	t := &r.trouble
	t.count(err)
	switch ids, now := r.ids(), r.clock.now(); {
	case final:
		r.end(fmt.Errorf("%w: no more ids will come: %w", ErrTakes, err))
	case t.hopeless(ids, now):
		r.end(fmt.Errorf("%w: not one id in %v: %w", ErrTakes, hopeless, err))
	}
	select {
	case <-time.After(time.Millisecond):
	case <-ctx.Done():
	}
}

func (t *trouble) count(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.errors++
	if s := err.Error(); len(t.first) < examples && !slices.Contains(t.first, s) {
		t.first = append(t.first, s)
	}
}

// hopeless reports whether there were errors for a while and no new id.
func (t *trouble) hopeless(ids int64, now time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.errors == 1 || ids != t.idsThen {
		t.idsThen, t.then = ids, now
	}
	return now-t.then >= hopeless
}
