package sweep

import (
	"cmp"
	"context"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	epoch.Move()
	goleak.VerifyTestMain(m)
}

// small has one value in each list but that of boost powers.
func small(c Config) Config {
	c.Goroutines, c.PaddingFactors, c.Paths = []int{2}, []int{50}, []string{PathTake}
	c.Layouts, c.Slice = []uid.Layout{uid.DefaultLayout()}, tinySlice
	c.Rounds = cmp.Or(c.Rounds, 5)
	return c
}

// fake is a generator that counts up, or answers what take does.
type fake struct {
	uid.Generator
	next   atomic.Int64
	take   func(ctx context.Context) (uid.ID, error)
	closes atomic.Int64
}

func (f *fake) GetUIDContext(ctx context.Context) (uid.ID, error) {
	if f.take != nil {
		return f.take(ctx)
	}
	return uid.ID(f.next.Add(1)), nil
}

func (f *fake) Layout() uid.Layout { return uid.DefaultLayout() }

func (f *fake) Stats() uid.Stats {
	return uid.Stats{WorkerID: 7, Class: worker.NeverReused, RingSize: 65536}
}

func (f *fake) Close() error {
	f.closes.Add(1)
	return nil
}

// failing is a generator whose time is over.
func failing() *fake {
	return &fake{take: func(context.Context) (uid.ID, error) { return 0, uid.ErrTimeOver }}
}

// stalled is a generator that gives no id.
func stalled() *fake {
	return &fake{take: func(ctx context.Context) (uid.ID, error) {
		<-ctx.Done()
		return 0, context.Cause(ctx)
	}}
}
