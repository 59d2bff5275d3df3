package failover

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// link is a holder's way to its store. It can be cut, and keeps the history.
type link struct {
	store.Store
	history  *history
	cut      atomic.Bool
	calls    sync.RWMutex // calls under way hold it for reading
	failures atomic.Int64 // calls that got no answer
}

// pass makes a call, unless the way is cut.
func (l *link) pass(call func() error) error {
	l.calls.RLock()
	defer l.calls.RUnlock()
	if l.cut.Load() {
		return errCut
	}
	err := call()
	if err != nil {
		l.failures.Add(1)
	}
	return err
}

// cutOff cuts the way, and waits for the calls under way, which might still arrive.
func (l *link) cutOff() {
	l.calls.Lock()
	defer l.calls.Unlock()
	l.cut.Store(true)
}

var errCut = errors.New("failover: cut off from the store")

func (l *link) View(ctx context.Context, p store.Pool, first, last int64) (v store.View,
	err error) {
	err = l.pass(func() (err error) {
		acknowledged, asked := l.history.acknowledged(), time.Now()
		if v, err = l.Store.View(ctx, p, first, last); err == nil {
			l.history.compare(acknowledged, v, asked)
		}
		return err
	})
	return v, err
}

func (l *link) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	err = l.pass(func() (err error) {
		l.history.sent(w)
		applied, err = l.Store.Write(ctx, w)
		l.history.answered(w, applied, err)
		return err
	})
	return applied, err
}

func (l *link) Now(ctx context.Context) (now time.Time, err error) {
	err = l.pass(func() (err error) {
		now, err = l.Store.Now(ctx)
		return err
	})
	return now, err
}

func (l *link) Create(ctx context.Context, c store.Creation) error {
	return l.pass(func() error { return l.Store.Create(ctx, c) })
}

func (l *link) Open(ctx context.Context, o store.Opening) error {
	return l.pass(func() error { return l.Store.Open(ctx, o) })
}

func (l *link) Delete(ctx context.Context, layout string) error {
	return l.pass(func() error { return l.Store.Delete(ctx, layout) })
}

// Raise is for stores that have heads: others are never asked.
func (l *link) Raise(ctx context.Context, r store.Raise) (applied bool, err error) {
	err = l.pass(func() (err error) {
		applied, err = l.Store.(store.Raiser).Raise(ctx, r)
		return err
	})
	return applied, err
}
