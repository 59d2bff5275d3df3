package worker

import (
	"crypto/rand"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAfterRestoreGivesUpTheRest(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		_, old := l.Grant()
		changed := l.Changed()
		time.Sleep(10 * time.Second)
		l.AfterRestore()
		<-changed
		synctest.Wait()
		lo, hi := l.Grant()
		assert.Equal(t, []int64{old + 1, nowTick() + 60}, []int64{lo, hi})
		assert.NoError(t, l.Err())
	})
}

// The clocks of the whole place were years ahead for a moment, and what was asked for then got
// lost. A clone may have got it: the process would have the worker id, and nothing to mint, for
// years.
func TestARestoreAfterTheStoresClockWasAhead(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		var ahead atomic.Int64
		moved := s.Store.SnapshotAt(
			func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
		s.set(func(f *flaky) { f.Store = moved })
		begin := time.Now()
		s.claim = s.claim.rigged(
			func() time.Time { return time.Now().Round(0).Add(time.Duration(ahead.Load())) },
			func() time.Duration { return time.Since(begin) }, rand.Reader)
		l := s.lease()
		ahead.Store(int64(10 * 365 * 24 * time.Hour))
		s.set(func(f *flaky) { f.refuses = errDown })
		s.work(l, 40*time.Second)
		ahead.Store(0)
		s.set(func(f *flaky) { f.refuses = nil })
		require.NoError(t, l.Err())

		l.AfterRestore()
		s.work(l, 10*time.Second)
		assert.ErrorIs(t, l.Err(), ErrClock)
		assert.ErrorContains(t, l.Err(), "ends at 2009-12-29")
		lo, hi := l.Grant()
		assert.Greater(t, lo, hi)
		next, err := s.patiently(time.Second)
		require.NoError(t, err)
		defer next.Release(t.Context(), math.MinInt64)
		_, hi = next.Grant()
		assert.GreaterOrEqual(t, hi, nowTick())
	})
}

// A wall clock that jumps away from the monotonic one may be a snapshot's.
func TestAClockGapIsARestore(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		var jump atomic.Int64
		wall := func() time.Time { return time.Now().Round(0).Add(time.Duration(jump.Load())) }
		begin := time.Now()
		mono := func() time.Duration { return time.Since(begin) }
		l := assign(t, Leased(s.network(), s.claim.rigged(wall, mono, rand.Reader)))
		defer l.Release(t.Context(), math.MinInt64)
		_, old := l.Grant()

		for steps := range time.Duration(5) {
			jump.Store(int64(steps * time.Second))
			time.Sleep(30 * time.Second)
		}
		synctest.Wait()
		lo, _ := l.Grant()
		require.LessOrEqual(t, lo, old, "small steps are none")

		_, old = l.Grant()
		jump.Store(int64(3 * time.Hour))
		time.Sleep(30 * time.Second)
		synctest.Wait()
		lo, hi := l.Grant()
		assert.Equal(t, old+1, lo)
		assert.Greater(t, hi, lo)
		assert.Len(t, s.log.lines(slog.LevelWarn), 2, "the clocks differ by seconds, then this")
		assert.EqualValues(t, 1, l.Restores(), "the generator is told")
	})
}

func TestReleaseLowersHighToTheLastTick(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		last := nowTick() + 7
		require.NoError(t, l.Release(t.Context(), last))
		assert.Equal(t, last, s.row(0).High)
		assert.False(t, s.row(0).Held)

		next := s.lease()
		lo, _ := next.Grant()
		assert.Equal(t, last+1, lo)
		require.NoError(t, l.Release(t.Context(), last+1), "a second release does nothing")
		assert.True(t, s.row(0).Held)
		require.NoError(t, next.Release(t.Context(), math.MinInt64))
		assert.Equal(t, last, s.row(0).High, "nothing was minted: as if it had not been")
		assert.ErrorIs(t, next.Err(), errReleased)
		next.AfterRestore()
		assert.ErrorIs(t, next.Err(), errReleased, "and stays so")
	})
}

// Whoever sees that a restore was counted sees that what was granted is given up: it
// drops its ids at that count, and there is no other.
func TestARestoreIsCountedWithWhatItTakes(t *testing.T) {
	const rounds = 20_000
	c := Claim{Logger: slog.New(slog.DiscardHandler)}.withDefaults()
	l := &held{keeper: keeper{caller: caller{c: c}}}
	l.keeper.h.view.Pool = need.pool()
	l.state.Store(new(l.keeper.state()))
	grant := func(n int64) { // what is granted before the n-th restore begins at n
		l.mu.Lock()
		defer l.unlock()
		l.keeper.h.spans = []span{{n, n + 1}}
	}
	var all sync.WaitGroup
	all.Go(func() {
		for n := int64(1); n <= rounds; n++ {
			grant(n)
			l.AfterRestore()
		}
	})
	for n := int64(0); n < rounds; {
		n = l.Restores()
		lo, hi := l.Grant()
		require.False(t, lo <= hi && lo <= n,
			"restore %d is counted, and the grant from before it is still shown: %d", n, lo)
	}
	all.Wait()
}
