package worker

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// wrongly takes the worker id 1 while the clocks of the store and of the process are ahead.
func wrongly(t *testing.T, s store.Store, off *time.Duration, ahead time.Duration) (hi int64) {
	*off = ahead
	begin := time.Now()
	c := claims(time.Second, 1).rigged(func() time.Time { return time.Now().Round(0).Add(*off) },
		func() time.Duration { return time.Since(begin) }, rand.Reader)
	l := assign(t, Leased(s, c))
	_, hi = l.Grant()
	l.(*held).cancel()
	l.(*held).running.Wait()
	*off = 0
	return hi
}

// Quarantine does not make ids come again that were made by a clock that was ahead. Its error says
// from when on nothing has to be done, and that is so.
func TestQuarantineAfterAClockWasAhead(t *testing.T) {
	for _, ahead := range []time.Duration{10 * time.Second, 2 * time.Hour} {
		pools(t, func(t *testing.T, s *memstore.Store, off *time.Duration) {
			_, err := Quarantine(t.Context(), s, QuarantineOptions{})
			require.ErrorIs(t, err, ErrNoRows)
			hi := wrongly(t, s, off, ahead)
			rows := func() []store.Row {
				v, err := s.View(t.Context(), need.pool(), 0, 9)
				require.NoError(t, err)
				return v.Rows
			}
			before := rows()
			_, err = Quarantine(t.Context(), s, QuarantineOptions{})
			require.ErrorIs(t, err, ErrClock)
			assert.ErrorContains(t, err, end(need.pool(), hi), "until when ids may have been made")
			again := time.Unix(hi+1-60, 0)
			assert.ErrorContains(t, err, "again from "+stamp(before[0].Expires)+" on")
			_, err = Quarantine(t.Context(), s, QuarantineOptions{Newest: time.Unix(hi, 0)})
			require.ErrorIs(t, err, ErrClock)
			assert.ErrorContains(t, err, "do this again at "+stamp(again))
			assert.Equal(t, before, rows(), "nothing was deleted")

			time.Sleep(time.Until(again))
			q, err := Quarantine(t.Context(), s, QuarantineOptions{Newest: time.Unix(hi, 0)})
			require.NoError(t, err)
			assert.Empty(t, rows())
			first := takes(t, s, claims(time.Second, 1))
			assert.Greater(t, first, hi)
			assert.GreaterOrEqual(t, first, q.Begin.Unix())
		})
	}
}

// Without a quarantine, a worker id is taken again at the time that the errors say.
func TestAWorkerIDIsTakenAgainAfterAClockWasAhead(t *testing.T) {
	pools(t, func(t *testing.T, s *memstore.Store, off *time.Duration) {
		hi := wrongly(t, s, off, time.Hour)
		v, err := s.View(t.Context(), need.pool(), 1, 1)
		require.NoError(t, err)
		time.Sleep(time.Until(v.Rows[0].Expires))
		begin := time.Now()
		assert.Equal(t, hi+1, takes(t, s, claims(time.Second, 1)))
		assert.Less(t, time.Since(begin), 10*time.Second)
	})
}

// An operator who knows that no id was made ahead of time need not wait.
func TestQuarantineWithTheNewestID(t *testing.T) {
	pools(t, func(t *testing.T, s *memstore.Store, off *time.Duration) {
		wrongly(t, s, off, 2*time.Hour)
		newest := time.Now()
		q, err := Quarantine(t.Context(), s, QuarantineOptions{Newest: newest})
		require.NoError(t, err)
		require.Len(t, q.Pools, 1)
		assert.Zero(t, slackOf(t, s), "the slack is forgotten")
		first := takes(t, s, claims(time.Millisecond, 1))
		assert.GreaterOrEqual(t, first, q.Begin.Unix())
		assert.Less(t, first, nowTick()+120)
	})
}

// Rows are not deleted by a process, either, while one of them lies further ahead than a new row
// would.
func TestNoProcessDeletesRowsThatAreAhead(t *testing.T) {
	pools(t, func(t *testing.T, s *memstore.Store, off *time.Duration) {
		hi := wrongly(t, s, off, time.Hour)
		require.NoError(t, s.Create(t.Context(), store.Pool{Layout: "another", Unit: time.Minute},
			[]int64{3}, store.Nonce{9})) // of a layout that is not in use: this place is cleared
		_, err := Leased(s, claims(time.Second, 2)).Assign(t.Context(), need)
		require.ErrorIs(t, err, ErrClock)
		assert.ErrorContains(t, err, "worker id 1 was granted until "+end(need.pool(), hi))
		assert.ErrorContains(t, err, "worker quarantine")
		v, err := s.View(t.Context(), need.pool(), 1, 1)
		require.NoError(t, err)
		assert.Equal(t, hi, v.Rows[0].High)
	})
}

// A store whose clock is wrong is not written to: no floor that blocks it when the clock is right.
func TestNothingIsWrittenByAWrongClock(t *testing.T) {
	pools(t, func(t *testing.T, s *memstore.Store, off *time.Duration) {
		*off = 2 * time.Hour
		for what, call := range map[string]func() error{
			"Assign": func() error {
				_, err := Leased(s, claims(time.Second, 1)).Assign(t.Context(), need)
				return err
			},
			"Init": func() error {
				_, err := Init(t.Context(), s, claims(time.Second, 1), need, false)
				return err
			},
			"Init of a fresh pool": func() error {
				_, err := Init(t.Context(), s, claims(time.Second, 1),
					Need{Unit: time.Hour, MaxID: 9, Fingerprint: need.Fingerprint}, true)
				return err
			},
			"Quarantine": func() error {
				_, err := Quarantine(t.Context(), s, QuarantineOptions{Newest: time.Now()})
				return err
			},
		} {
			require.ErrorIs(t, call(), ErrClock, what)
			v, err := s.View(t.Context(), need.pool(), 0, 9)
			require.NoError(t, err)
			assert.Zero(t, v.Head, what)
			assert.Empty(t, v.Rows, what)
		}
		*off = 0
		begin := nowTick()
		assert.LessOrEqual(t, takes(t, s, claims(time.Second, 1)), begin+62)
	})
}

// The store's clock jumps ahead, and back: live processes are granted no more than their own clock
// allows, no floor is written, one line says why, and one that all is well again.
func TestAStoreThatIsAheadBlocksNothing(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		pools(t, func(t *testing.T, s *memstore.Store, off *time.Duration) {
			e := &env{T: t, log: &logLines{}}
			c := claims(time.Second, 1)
			c.TTL, c.Logger = 90*time.Second, slog.New(slog.NewTextHandler(e.log, nil))
			l := assign(t, Leased(s, c))
			defer l.Release(t.Context(), 0)
			e.work(l, 2*time.Minute)
			floor := func() int64 {
				v, err := s.View(t.Context(), need.pool(), 1, 1)
				require.NoError(t, err)
				return v.Floor
			}
			before := floor()
			stalled := func() error { return l.(interface{ Stalled() error }).Stalled() }
			require.NoError(t, stalled())

			*off = 2 * time.Hour
			if v, _ := s.View(t.Context(), need.pool(), 1, 1); restarts && v.Server != "" {
				s.Restart("another")
			}
			e.work(l, 3*time.Minute)
			_, hi := l.Grant()
			assert.LessOrEqual(t, hi, nowTick()+60)
			require.ErrorIs(t, stalled(), ErrClock)
			assert.Equal(t, before, floor())
			warned := e.log.lines(slog.LevelWarn)
			require.Len(t, warned, 1)
			assert.Contains(t, warned[0], "differ by 2h0m0s")

			*off = 0
			e.work(l, 2*time.Minute)
			_, hi = l.Grant()
			assert.Greater(t, hi, nowTick())
			require.NoError(t, stalled())
			assert.LessOrEqual(t, floor(), nowTick()+62)
			informed := e.log.lines(slog.LevelInfo)
			assert.Contains(t, informed[len(informed)-1], "renewed again")
		})
	}
}

// A process whose own clock is slow is granted no further than that allows, and loses nothing.
func TestASlowClockIsGrantedLess(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		begin := time.Now()
		slow := 20 * time.Second
		s.claim = s.claim.rigged(func() time.Time { return time.Now().Round(0).Add(-slow) },
			func() time.Duration { return time.Since(begin) }, rand.Reader)
		l := s.lease()
		s.work(l, 5*time.Minute)
		_, hi := l.Grant()
		assert.Greater(t, hi, nowTick())
		assert.LessOrEqual(t, hi, nowTick()+40)
		require.NoError(t, l.Err())
	})
}

// unfit is a store that Check finds fault with.
type unfit struct {
	*memstore.Store
	err error
}

func (u unfit) Check(context.Context) (bool, error) { return false, u.err }

// Settings that may lose worker ids are no reason to keep them. A store that does not answer is.
func TestQuarantineOfAStoreThatIsNotSetUp(t *testing.T) {
	pools(t, func(t *testing.T, s *memstore.Store, _ *time.Duration) {
		takes(t, s, claims(time.Second, 1))
		_, err := Quarantine(t.Context(), unfit{s, errDown}, QuarantineOptions{})
		require.ErrorIs(t, err, errDown)
		q, err := Quarantine(t.Context(), unfit{s, ErrStore}, QuarantineOptions{})
		require.NoError(t, err)
		assert.Len(t, q.Pools, 1)
	})
}
