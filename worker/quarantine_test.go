package worker

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// wrongly takes the worker id 1 while the clocks of the store and of the process are ahead.
func wrongly(t *testing.T, s store.Store, off *time.Duration, ahead, ttl time.Duration) (hi int64) {
	*off = ahead
	begin, c := time.Now(), claims(time.Second, 1)
	c.TTL = ttl
	c = c.rigged(func() time.Time { return time.Now().Round(0).Add(*off) },
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
	for ahead, ttl := range map[time.Duration]time.Duration{
		10 * time.Second: time.Minute, 2 * time.Hour: 10 * time.Millisecond,
	} {
		pools(t, func(t *testing.T, s *memory.Store, off *time.Duration) {
			for _, o := range []QuarantineOptions{{}, {Newest: time.Now(), Unreadable: true}} {
				_, err := Quarantine(t.Context(), s, o)
				require.ErrorIs(t, err, ErrNoRows)
			}
			hi := wrongly(t, s, off, ahead, ttl)
			rows := func() []store.Row {
				v, err := s.View(t.Context(), need.pool(), 0, 9)
				require.NoError(t, err)
				return v.Rows
			}
			before := rows()
			_, err := Quarantine(t.Context(), s, QuarantineOptions{})
			require.ErrorIs(t, err, ErrClock)
			assert.ErrorContains(t, err, end(need.pool(), hi), "until when ids may have been made")
			again := time.Unix(hi+1-60, 0)
			assert.ErrorContains(t, err, "again from "+stamp(later(again, before[0].Expires))+" on")
			_, err = Quarantine(t.Context(), s, QuarantineOptions{Newest: time.Unix(hi, 0)})
			require.ErrorIs(t, err, ErrClock)
			again = again.Add(-time.Second)
			assert.ErrorContains(t, err, "do this again at "+stamp(again))
			assert.Equal(t, before, rows(), "nothing was deleted")

			time.Sleep(time.Until(again) - time.Second)
			_, err = Quarantine(t.Context(), s, QuarantineOptions{Newest: time.Unix(hi, 0)})
			require.ErrorIs(t, err, ErrClock, "a second too early")
			time.Sleep(time.Second)
			q, err := Quarantine(t.Context(), s, QuarantineOptions{Newest: time.Unix(hi, 0)})
			require.NoError(t, err)
			assert.Empty(t, rows())
			assert.Equal(t, nowTick()+60+1, q.Begin.Unix())
			first := takes(t, s, claims(time.Second, 1))
			assert.Greater(t, first, hi)
			assert.GreaterOrEqual(t, first, q.Begin.Unix())
		})
	}
}

// How far a row may be granted before that proves that a clock was ahead, and which row is the
// furthest of those.
func TestRowsThatAreAhead(t *testing.T) {
	now := time.Unix(1000, 0)
	for what, c := range map[string]struct {
		server      string
		floor, last int64 // last: which proves nothing
		row         store.Row
	}{
		"held, of a pool without a head": {last: 1070, row: store.Row{Open: true, Renewed: now}},
		"held, of a pool with one": {server: "s", last: 1065,
			row: store.Row{Open: true, Renewed: now}},
		"new": {last: 1075, row: store.Row{Open: true}},
		"below the floor": {server: "s", floor: 1101, last: 1100,
			row: store.Row{Open: true}},
		"not open, whatever it says it is": {last: math.MaxInt64 - 3, row: store.Row{}},
	} {
		v := store.View{Pool: need.pool(), Server: c.server, Now: now,
			Head: store.Head{Floor: c.floor, Slack: 5 * time.Second}}
		far := c.row
		for i := range int64(4) {
			c.row.Worker, c.row.High = i, c.last+i
			v.Rows = append(v.Rows, c.row)
			assert.Equal(t, c.row.Open && i > 0, grants.IsAhead(v, c.row), what)
		}
		v.Rows[2], v.Rows[3] = v.Rows[3], v.Rows[2] // the furthest is neither first nor last
		got, ahead := grants.Furthest(v)
		require.Equal(t, far.Open, ahead, what)
		if ahead {
			assert.Equal(t, c.last+3, got.High, what)
		}
	}
}

// A store whose clock is wrong is not written to: no floor that blocks it when the clock is right.
func TestNothingIsWrittenByAWrongClock(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, off *time.Duration) {
		*off = 2 * time.Hour
		for what, call := range map[string]func() error{
			"Assign": func() error {
				_, err := Leased(s, claims(time.Second, 1)).Assign(t.Context(), need)
				return err
			},
			"Init": func() error {
				_, err := Init(t.Context(), s, claims(time.Second, 1), need)
				return err
			},
			"Init of a fresh pool": func() error {
				_, err := InitFresh(t.Context(), s, claims(time.Second, 1),
					Need{Unit: time.Hour, MaxID: 9, Fingerprint: need.Fingerprint})
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
// allows, no floor is written, and one line says what differs, another that all is well again.
func TestAStoreThatIsAheadBlocksNothing(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		pools(t, func(t *testing.T, s *memory.Store, off *time.Duration) {
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
			v, err := s.View(t.Context(), need.pool(), 1, 1)
			require.NoError(t, err)
			restarted := restarts && v.Server != ""
			if restarted {
				s.Restart("another")
			}
			e.work(l, 3*time.Minute)
			_, hi := l.Grant()
			assert.LessOrEqual(t, hi, nowTick()+60)
			assert.Equal(t, before, floor())
			warned := e.log.lines(slog.LevelWarn)
			require.Contains(t, warned[0], `ahead_by="-2h0m0s, within 0s"`)
			if restarted { // then it would have to raise the floor by a clock that is wrong
				require.ErrorIs(t, stalled(), ErrClock)
				require.Len(t, warned, 2)
				assert.Contains(t, warned[1], "differ by 2h0m0s")
			} else {
				require.NoError(t, stalled(), "it is renewed")
				assert.GreaterOrEqual(t, hi, nowTick()+28)
				assert.Len(t, warned, 1)
			}

			*off = 0
			e.work(l, 2*time.Minute)
			_, hi = l.Grant()
			assert.Greater(t, hi, nowTick())
			require.NoError(t, stalled())
			assert.LessOrEqual(t, floor(), nowTick()+62)
			informed := e.log.lines(slog.LevelInfo)
			assert.Contains(t, informed[len(informed)-1], map[bool]string{true: "renewed again",
				false: "agree again"}[restarted])
		})
	}
}

// unfit is a store that Check finds fault with.
type unfit struct {
	*memory.Store
	lossy bool
	err   error
}

func (u unfit) Check(context.Context) (bool, error) { return u.lossy, u.err }

// Settings that may lose worker ids are no reason to keep them. A store that does not answer is.
func TestQuarantineOfAStoreThatIsNotSetUp(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, _ *time.Duration) {
		takes(t, s, claims(time.Second, 1))
		_, err := Quarantine(t.Context(), unfit{s, false, errDown}, QuarantineOptions{})
		require.ErrorIs(t, err, errDown)
		q, err := Quarantine(t.Context(), unfit{s, false, ErrStore}, QuarantineOptions{})
		require.NoError(t, err)
		assert.Len(t, q.Pools, 1)
	})
}

// A floor that is ahead is an obstacle like a row that is ahead, also where no row is left.
func TestQuarantineOfAFloorThatIsAhead(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, off *time.Duration) {
		wrongly(t, s, off, time.Hour, time.Second)
		v, err := s.View(t.Context(), need.pool(), 0, 9)
		require.NoError(t, err)
		if v.Epoch == "" {
			return
		}
		s.Edit(need.Fingerprint, 1, func(r *store.Row) bool { r.High = nowTick(); return true })
		_, err = Quarantine(t.Context(), s, QuarantineOptions{})
		require.ErrorIs(t, err, ErrClock)
		assert.ErrorContains(t, err, "may have been made until "+end(need.pool(), v.Floor-1))
		// What cannot be read is deleted with the heads, so a floor that is ahead is in the way then,
		// too.
		bad := through(func(ctx context.Context, call any) answer {
			a := ask(ctx, s, call)
			a.view.Unreadable = ErrStore
			return a
		})
		_, err = Quarantine(t.Context(), bad, QuarantineOptions{Unreadable: true})
		require.ErrorIs(t, err, ErrClock)
		_, err = Quarantine(t.Context(), bad, QuarantineOptions{Unreadable: true, Newest: time.Now()})
		require.NoError(t, err)
		v, err = s.View(t.Context(), need.pool(), 0, 9)
		require.NoError(t, err)
		assert.Zero(t, v.Head)
	})
}

// What cannot be read is deleted if an operator says so, and whatever else fails is an error.
func TestQuarantineOfWhatCannotBeRead(t *testing.T) {
	foreign := fmt.Errorf("%w: the row of another version", ErrStore)
	for what, spoil := range map[string]func(p store.Pool, a *answer){
		"a row of the place": func(p store.Pool, a *answer) {
			if p.Layout == "" {
				a.view.Unreadable = foreign
			}
		},
		"a row of the pool": func(p store.Pool, a *answer) {
			if p.Layout != "" {
				a.view.Unreadable = foreign
			}
		},
		"the head": func(p store.Pool, a *answer) {
			if p.Layout != "" {
				*a = answer{err: foreign}
			}
		},
		"the only row": func(_ store.Pool, a *answer) {
			a.view.Others, a.view.Unreadable = nil, foreign
		},
	} {
		pools(t, func(t *testing.T, s *memory.Store, _ *time.Duration) {
			takes(t, s, claims(time.Second, 1))
			down := error(nil)
			bad := through(func(ctx context.Context, call any) answer {
				a := ask(ctx, s, call)
				if l, looks := call.(lookup); looks {
					spoil(l.Pool, &a)
					if l.Layout != "" && down != nil {
						a.err = down
					}
				}
				return a
			})
			_, err := Quarantine(t.Context(), bad, QuarantineOptions{})
			require.ErrorIs(t, err, ErrStore, what)
			assert.ErrorContains(t, err, "the row of another version", what)
			assert.ErrorContains(t, err, "nothing was deleted", what)
			if what != "the only row" {
				down = errDown
				_, err = Quarantine(t.Context(), bad, QuarantineOptions{Unreadable: true})
				require.ErrorIs(t, err, errDown, what)
				down = nil
			}
			require.NotZero(t, slackOf(t, s), what)
			q, err := Quarantine(t.Context(), bad, QuarantineOptions{Unreadable: true})
			require.NoError(t, err, what)
			require.ErrorIs(t, q.Unreadable, foreign, what)
			assert.False(t, q.Begin.Before(time.Now().Add(time.Minute)), what)
			assert.Zero(t, slackOf(t, s), what)
		})
	}
}

// A store may say that rows were deleted and keep some. That is an error for who needs them gone:
// an operator, who saw the rows go back in time, and who takes over a place.
func TestRowsThatAStoreKeeps(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, _ *time.Duration) {
		keeps := through(func(ctx context.Context, call any) answer {
			if _, deletes := call.(purge); !deletes {
				return ask(ctx, s, call)
			}
			s.Edit(need.Fingerprint, 1, func(*store.Row) bool { return false })
			return answer{}
		})
		takes(t, s, claims(time.Second, 1))
		takes(t, s, claims(time.Second, 2))
		_, err := Quarantine(t.Context(), keeps, QuarantineOptions{})
		require.ErrorIs(t, err, ErrStore)
		assert.ErrorContains(t, err, "worker id 2, whose row is still there: look for row level security")

		c := claims(time.Second, 2)
		c.wentBack = new(sync.Map)
		c.wentBack.Store(need.Fingerprint, ErrRolledBack)
		_, err = Leased(keeps, c).Assign(t.Context(), need)
		require.ErrorIs(t, err, ErrStore)
		time.Sleep(5 * time.Minute)
		_, err = Leased(keeps, Claim{Logger: discard}).Assign(t.Context(), otherNeed)
		require.ErrorIs(t, err, ErrStore)
	})
}

// An error says whether a floor is ahead because a clock was, or after a fail-over.
func TestWhyAFloorKeepsRowsFromBeingTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var off time.Duration
		s := memory.NewAt(func() time.Time { return time.Now().Add(off) })
		s.Restart("a server")
		refused := func() string {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := Leased(s, claims(time.Second, 1)).Assign(ctx, need)
			require.ErrorIs(t, err, ErrAllHeld)
			return err.Error()
		}
		takes(t, s, claims(time.Second, 1))
		time.Sleep(time.Hour)
		s.Restart("another")
		assert.Contains(t, refused(), "failed over, restarted or was restored, and grants that it may")
		time.Sleep(time.Hour)
		takes(t, s, claims(time.Second, 1))
		off = time.Hour
		s.Restart("a third")
		v, err := s.View(t.Context(), need.pool(), 1, 1)
		require.NoError(t, err)
		raised, err := s.Raise(t.Context(), need.pool(), v.Head, 62, time.Second)
		require.NoError(t, err)
		require.True(t, raised)
		off = 0
		v, err = s.View(t.Context(), need.pool(), 1, 1)
		require.NoError(t, err)
		assert.Contains(t, refused(), "what the store granted may end at "+end(need.pool(), v.Floor-1)+
			", so a clock was wrong: correct it. At the time above this ends by itself; `ringuid worker "+
			"quarantine --store URL` says what can be done before")
	})
}

// The first worker id counts, too.
func TestTheFirstRowIsAhead(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.edit(0, func(r *store.Row) { r.High += 1000 })
		_, err := Quarantine(t.Context(), s.Store, QuarantineOptions{})
		require.ErrorIs(t, err, ErrClock)
		require.NoError(t, s.Create(t.Context(), store.Pool{Layout: "another", Unit: time.Minute},
			[]int64{3}, store.Nonce{9})) // which is not in use: this place is cleared
		s.claim.ExistingOnly = false
		_, err = Leased(s.network(), s.claim).Assign(t.Context(), need)
		require.ErrorIs(t, err, ErrClock)
		assert.EqualValues(t, 1000, s.row(0).High-nowTick()+1, "nothing was deleted")
	})
}

// A quarantine that could not delete the heads has not been done.
func TestQuarantineWithHeadsThatStay(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		_, err := Quarantine(t.Context(), through(func(ctx context.Context, call any) answer {
			if _, forgets := call.(forgetting); forgets {
				return answer{err: errDown}
			}
			return ask(ctx, s.Store, call)
		}), QuarantineOptions{Newest: time.Now()})
		require.ErrorIs(t, err, errDown)
		assert.True(t, s.row(0).Open, "nothing was deleted")
	})
}
