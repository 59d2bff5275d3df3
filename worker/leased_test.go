package worker

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var need = Need{Unit: time.Second, MaxID: 1023, Fingerprint: "test"}

func assign(t *testing.T, a Assigner) Lease {
	l, err := a.Assign(t.Context(), need)
	require.NoError(t, err)
	return l
}

func nowTick() int64 { return time.Now().Unix() }

func TestALeaseGrantsAWindow(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := assign(t, Leased(s.Store, s.claim))
		lo, hi := l.Grant()
		assert.Equal(t, nowTick(), lo)
		assert.Equal(t, nowTick()+60, hi)
		assert.Equal(t, Fenced, l.Class())
		require.NoError(t, l.Release(t.Context(), math.MinInt64))
	})
}

func TestWantExtendsTheGrantAtHalf(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := assign(t, Leased(s.Store, s.claim))
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
