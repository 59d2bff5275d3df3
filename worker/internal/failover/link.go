package failover

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// link is a holder's way to its store. It can be cut, and keeps the history.
type link struct {
	store.Store
	history  *history
	cut      atomic.Bool
	failures atomic.Int64 // calls that got no answer
}

var errCut = errors.New("failover: cut off from the store")

func (l *link) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	if l.cut.Load() {
		return store.View{}, errCut
	}
	acknowledged, asked := l.history.acknowledged(), time.Now()
	v, err := l.Store.View(ctx, namespace, first, last)
	if err == nil {
		l.history.compare(acknowledged, v, asked)
	}
	l.count(err)
	return v, err
}

func (l *link) Write(ctx context.Context, w store.Write) (bool, error) {
	if l.cut.Load() {
		return false, errCut
	}
	l.history.sent(w)
	applied, err := l.Store.Write(ctx, w)
	l.history.answered(w, applied, err)
	l.count(err)
	return applied, err
}

func (l *link) Raise(ctx context.Context, r store.Raise) (bool, error) {
	if l.cut.Load() {
		return false, errCut
	}
	return l.Store.Raise(ctx, r)
}

func (l *link) count(err error) {
	if err != nil {
		l.failures.Add(1)
	}
}
