package worker

import (
	"log/slog"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var need = Need{Unit: time.Second, MaxID: 1023, Fingerprint: "test"}

// leasing runs a test in a bubble with a fresh namespace of so many worker ids.
func leasing(t *testing.T, ids int64, test func(t *testing.T, s *memstore.Store, a Assigner)) {
	synctest.Test(t, func(t *testing.T) {
		s := memstore.New()
		ns, err := NewNamespace("default", need, 0, ids-1, 0)
		require.NoError(t, err)
		require.NoError(t, s.Init(t.Context(), ns, InitOptions{Fresh: true}))
		test(t, s, Leased(s, Claim{Logger: slog.New(slog.DiscardHandler)}))
	})
}

func assign(t *testing.T, a Assigner) Lease {
	l, err := a.Assign(t.Context(), need)
	require.NoError(t, err)
	return l
}

func nowTick() int64 { return time.Now().Unix() }

func TestALeaseGrantsAWindow(t *testing.T) {
	leasing(t, 1, func(t *testing.T, _ *memstore.Store, a Assigner) {
		l := assign(t, a)
		lo, hi := l.Grant()
		assert.Equal(t, nowTick(), lo)
		assert.Equal(t, nowTick()+60, hi)
		assert.Equal(t, Fenced, l.Class())
		require.NoError(t, l.Release(t.Context(), math.MinInt64))
	})
}

func TestWantExtendsTheGrantAtHalf(t *testing.T) {
	leasing(t, 1, func(t *testing.T, _ *memstore.Store, a Assigner) {
		l := assign(t, a)
		defer l.Release(t.Context(), math.MinInt64)
		start := nowTick()
		for range 600 { // a steady generator: it wants the tick of now
			l.Want(nowTick())
			synctest.Wait()
			lo, hi := l.Grant()
			assert.Equal(t, start, lo)
			assert.GreaterOrEqual(t, hi-nowTick(), int64(29), "at %d s", nowTick()-start)
			time.Sleep(time.Second)
		}
	})
}

func TestAReleasedIdStartsAtOnceBehindTheLastTick(t *testing.T) {
	leasing(t, 1, func(t *testing.T, _ *memstore.Store, a Assigner) {
		l := assign(t, a)
		_, err := a.Assign(t.Context(), need)
		require.ErrorIs(t, err, ErrAllHeld)
		last := nowTick() + 5
		require.NoError(t, l.Release(t.Context(), last))
		assert.ErrorIs(t, l.Err(), ErrReleased)
		next := assign(t, a)
		defer next.Release(t.Context(), math.MinInt64)
		lo, _ := next.Grant()
		assert.Equal(t, last+1, lo)
	})
}
