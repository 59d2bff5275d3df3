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

// enter begins a call, which leave ends, unless the way is cut.
func (l *link) enter() error {
	l.calls.RLock()
	if l.cut.Load() {
		l.calls.RUnlock()
		return errCut
	}
	return nil
}

func (l *link) leave() { l.calls.RUnlock() }

// cutOff cuts the way, and waits for the calls under way, which might still arrive.
func (l *link) cutOff() {
	l.calls.Lock()
	defer l.calls.Unlock()
	l.cut.Store(true)
}

var errCut = errors.New("failover: cut off from the store")

func (l *link) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	if err := l.enter(); err != nil {
		return store.View{}, err
	}
	defer l.leave()
	acknowledged, asked := l.history.acknowledged(), time.Now()
	v, err := l.Store.View(ctx, p, first, last)
	if err == nil {
		l.history.compare(acknowledged, v, asked)
	}
	l.count(err)
	return v, err
}

func (l *link) Write(ctx context.Context, w store.Write) (bool, error) {
	if err := l.enter(); err != nil {
		return false, err
	}
	defer l.leave()
	l.history.sent(w)
	applied, err := l.Store.Write(ctx, w)
	l.history.answered(w, applied, err)
	l.count(err)
	return applied, err
}

// Raise is called only if the store has heads.
func (l *link) Raise(ctx context.Context, r store.Raise) (bool, error) {
	if err := l.enter(); err != nil {
		return false, err
	}
	defer l.leave()
	return l.Store.(store.Raiser).Raise(ctx, r)
}

func (l *link) count(err error) {
	if err != nil {
		l.failures.Add(1)
	}
}
