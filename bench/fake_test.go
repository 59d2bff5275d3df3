package bench

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	epoch.Move()
	goleak.VerifyTestMain(m)
}

// fake is a generator that counts up, and where its fault says so goes wrong.
type fake struct {
	next atomic.Int64
	// fault returns what to answer instead of id n, nil for what is right.
	fault  func(ctx context.Context, n int64) (uid.ID, error)
	closes atomic.Int64
	layout uid.Layout // zero: the default
	stats  func(taken int64) uid.Stats
}

func (f *fake) GetUIDContext(ctx context.Context) (uid.ID, error) {
	n := f.next.Add(1)
	if f.fault != nil {
		return f.fault(ctx, n)
	}
	return uid.ID(n), nil
}

func (f *fake) AppendUIDs(dst []uid.ID, n int) ([]uid.ID, error) {
	for last, i := f.next.Add(int64(n)), int64(n)-1; i >= 0; i-- {
		dst = append(dst, uid.ID(last-i))
	}
	return dst, nil
}

func (f *fake) Layout() uid.Layout {
	if f.layout.Unit != 0 {
		return f.layout
	}
	return uid.DefaultLayout()
}

func (f *fake) Stats() uid.Stats {
	if f.stats != nil {
		return f.stats(f.next.Load())
	}
	return uid.Stats{WorkerID: 7, Class: worker.NeverReused, RingSize: 65536}
}

func (f *fake) Close() error {
	f.closes.Add(1)
	return nil
}

// faulty returns a fake with a fault.
func faulty(fault func(ctx context.Context, n int64) (uid.ID, error)) *fake {
	return &fake{fault: fault}
}

// paced returns a fake each of whose ids takes so long.
func paced(d time.Duration) *fake {
	return faulty(func(ctx context.Context, n int64) (uid.ID, error) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return uid.ID(n), nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	})
}
