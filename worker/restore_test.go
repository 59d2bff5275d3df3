package worker

import (
	"crypto/rand"
	"log/slog"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// The others that know the row's nonce go on with it: one that was told that it is a copy writes it
// no more, not even when it is released.
func TestACopyGivesUpItsRow(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		l := s.lease()
		changed, was, writes := l.Changed(), s.row(l.WorkerID()), s.written()
		l.AfterRestore()
		<-changed
		lo, hi := l.Grant()
		assert.Greater(t, lo, hi)
		assert.ErrorIs(t, l.Err(), ErrFenced)
		assert.ErrorIs(t, l.Err(), errCopied)
		told := time.Now()
		l.(*held).running.Wait()
		assert.Zero(t, time.Since(told), "it asks the store no more")
		s.work(l, 10*time.Minute)
		require.NoError(t, l.Release(t.Context(), nowTick()))
		assert.Equal(t, writes, s.written())
		assert.Equal(t, was, s.row(l.WorkerID()))
	})
}

// Two copies of a process that is asked for ids, and neither was told: the second to write says
// what it most likely is.
func TestAFencedCopySaysThatItMayBeOne(t *testing.T) {
	for _, c := range []struct {
		owner string
		away  time.Duration // without the store
		told  bool
	}{{"us", 0, true}, {"thief", 0, false}, {"us", 2 * time.Minute, false}} {
		inBubble(t, 1, func(t *testing.T, s *env) {
			s.claim.Owner = "us"
			l := s.lease()
			s.set(func(f *flaky) { f.down = c.away > 0 })
			time.Sleep(c.away)
			s.steal(0)
			s.edit(0, func(r *store.Row) { r.Owner = c.owner })
			s.set(func(f *flaky) { f.down = false })
			s.work(l, time.Minute)
			require.ErrorIs(t, l.Err(), ErrFenced)
			lost := s.log.lines(slog.LevelError)
			require.Len(t, lost, 1)
			assert.Equal(t, c.told, strings.Contains(lost[0], "process was copied"), c)
		})
	}
}

// Copies draw equal random numbers, and must not wait equally long.
func TestCopiesDrawDifferentPauses(t *testing.T) {
	pauses := map[byte]bool{}
	for ns := range int64(64) {
		c := Claim{}.rigged(func() time.Time { return time.Unix(0, 1000*ns) }, nil, zeros{})
		pauses[c.nonce()[0]] = true
	}
	assert.Greater(t, len(pauses), 40)
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

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

		l.(*held).restore()
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

// A clock that is set back by more than a window is told where nothing can be granted until then.
func TestAClockThatIsSetBackIsTold(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		var back atomic.Int64
		wall := func() time.Time { return time.Now().Round(0).Add(-time.Duration(back.Load())) }
		begin := time.Now()
		mono := func() time.Duration { return time.Since(begin) }
		l := assign(t, Leased(s.network(), s.claim.rigged(wall, mono, rand.Reader)))
		defer l.Release(t.Context(), math.MinInt64)
		for by, want := range map[time.Duration]error{30 * time.Second: nil, 10 * time.Minute: ErrClock} {
			back.Store(int64(by))
			time.Sleep(30 * time.Second)
			synctest.Wait()
			require.ErrorIs(t, l.(*held).Stalled(), want, by)
			back.Store(0)
			time.Sleep(40 * time.Second)
			synctest.Wait()
			require.NoError(t, l.(*held).Stalled(), by)
			lo, hi := l.Grant()
			require.LessOrEqual(t, lo, hi, by)
		}
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

// restore is what a jump of the clock does.
func (l *held) restore() {
	l.mu.Lock()
	l.keeper.h.restore()
	l.unlock()
	l.wake.Send()
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
			l.restore()
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
