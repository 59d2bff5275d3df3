package worker

import (
	"context"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// The calls of a store's methods, besides store.Write.
type (
	lookup struct {
		store.Pool
		first, last int64
	}
	askTime  struct{}
	creation struct {
		store.Pool
		workers []int64
		nonce   store.Nonce
	}
	opening struct {
		store.Pool
		workers []int64
		created store.Nonce
		opened  store.Row
	}
	raising struct {
		store.Pool
		was   store.Head
		ahead int64
		slack time.Duration
	}
	forgetting struct{}
	purge      struct{ layout string } // of all layouts, if it is empty
)

// answer is the outcome of a call.
type answer struct {
	view    store.View
	now     time.Time
	applied bool
	err     error
}

func ask(ctx context.Context, s store.Store, call any) (a answer) {
	switch call := call.(type) {
	case lookup:
		a.view, a.err = s.View(ctx, call.Pool, call.first, call.last)
	case askTime:
		a.now, a.err = s.Now(ctx)
	case creation:
		a.err = s.Create(ctx, call.Pool, call.workers, call.nonce)
	case opening:
		a.err = s.Open(ctx, call.Pool, call.workers, call.created, call.opened)
	case store.Write:
		a.applied, a.err = s.Write(ctx, call)
	case raising:
		a.applied, a.err = s.(store.Raiser).Raise(ctx, call.Pool, call.was, call.ahead, call.slack)
	case forgetting:
		a.applied, a.err = s.(store.Raiser).Forget(ctx)
	case purge:
		a.err = s.Delete(ctx, call.layout)
	}
	return a
}

// through is a store whose calls all go through one function.
type through func(ctx context.Context, call any) answer

func (f through) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	a := f(ctx, lookup{p, first, last})
	return a.view, a.err
}

func (f through) Now(ctx context.Context) (time.Time, error) {
	a := f(ctx, askTime{})
	return a.now, a.err
}

func (f through) Write(ctx context.Context, w store.Write) (bool, error) {
	a := f(ctx, w)
	return a.applied, a.err
}

func (f through) Raise(ctx context.Context, p store.Pool, was store.Head, ahead int64,
	slack time.Duration) (bool, error) {
	a := f(ctx, raising{p, was, ahead, slack})
	return a.applied, a.err
}

func (f through) Forget(ctx context.Context) (bool, error) {
	a := f(ctx, forgetting{})
	return a.applied, a.err
}

func (f through) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	return f(ctx, creation{p, workers, nonce}).err
}

func (f through) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	return f(ctx, opening{p, workers, created, opened}).err
}

func (f through) Delete(ctx context.Context, layout string) error {
	return f(ctx, purge{layout}).err
}
func (through) Check(context.Context) (lossy bool, err error) { return false, nil }
