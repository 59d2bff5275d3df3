package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

var otherNeed = Need{Unit: time.Minute, MaxID: 1023, Fingerprint: "other"}

// Two layouts can make the same id, so a place has one: the wrong one is refused, by name, as
// long as the other may still have ids.
func TestAnotherLayoutIsRefused(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		l := s.lease()
		s.claim.ExistingOnly, s.claim.Owner = false, "stray"
		_, err := Leased(s.network(), s.claim).Assign(t.Context(), otherNeed)
		require.ErrorIs(t, err, ErrOtherLayout)
		assert.ErrorContains(t, err, "this process's layout is other, and layout test has worker ids")
		assert.ErrorContains(t, err, "until "+stamp(time.Unix(s.row(l.WorkerID()).High+1, 0)))
		assert.ErrorContains(t, err, "or wait until then, if all its processes have stopped")
		_, err = Init(t.Context(), s.network(), s.claim, otherNeed)
		require.ErrorIs(t, err, ErrOtherLayout)
		v, err := s.View(t.Context(), otherNeed.pool(), 0, math.MaxInt64)
		require.NoError(t, err)
		assert.Empty(t, v.Rows, "it has created nothing")

		s.claim.AllowOtherLayouts = true
		other, err := Leased(s.network(), s.claim).Assign(t.Context(), otherNeed)
		require.NoError(t, err)
		require.NoError(t, other.Release(t.Context(), math.MinInt64))
	})
}

// Rows of one's own layout from before would begin below what the other layout's holder may
// be granted until its rows are deleted.
func TestWhoTakesAPlaceOverDeletesItsOwnRowsToo(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	p := store.Pool{Layout: "other", Unit: time.Second}
	openRows(t, l.mem, p, 1, scheduleStart.Unix()-1)

	l.tick = 100 // A's grant has ended, and A is asleep
	c := Claim{Logger: slog.New(slog.DiscardHandler)}.rigged(l.now, a.claim.clock.Mono,
		nil)
	var purged []any
	taker := acquirer{growth: growth{caller: c.calling(l, p, func(call any) error {
		if _, purges := call.(purge); purges {
			purged = append(purged, call)
			require.True(t, a.extend(), "A wakes up in between")
			a.mint(1000)
		}
		return nil
	})}}
	require.NoError(t, taker.acquire())
	require.Equal(t, []any{purge{}}, purged, "all rows of the place")
	assert.Greater(t, taker.h.first, a.last, "it begins above what A was granted")
	assert.False(t, a.extend(), "A's row is gone")
}

// calling calls the store of a schedule, for a layout with two worker ids. Rows are created one
// by one. Time passes while it waits. before may end it: before a call, or a wait, which is nil.
func (c Claim) calling(l *schedule, p store.Pool, before func(call any) error) caller {
	made := c.caller(l.Context(), through(func(ctx context.Context, call any) answer {
		if err := before(call); err != nil {
			return answer{err: err}
		}
		a := ask(ctx, l.mem, call)
		a.view.CreateRate = 1
		return a
	}), Need{Unit: p.Unit, MaxID: 1, Fingerprint: p.Layout})
	made.sleep = func(d time.Duration, _ <-chan struct{}) error {
		l.tick += int64((d + time.Second - 1) / time.Second)
		return before(nil)
	}
	return made
}

// Whoever creates rows beside its work opens none while another layout has the place. A's rows
// may be deleted later, and then B's would be open, and begin below what A was granted meanwhile.
func TestRowsAreNotOpenedBesideAnotherLayout(t *testing.T) {
	l := &schedule{T: t, ticks: map[minting]string{}}
	l.mem = memory.NewAt(l.now) // which keeps what it acknowledged, and has no heads
	openRows(t, l.mem, schedulePool, 1, scheduleStart.Unix()-1)
	b := store.Pool{Layout: "other", Unit: time.Second}
	c := Claim{Logger: slog.New(slog.DiscardHandler)}.rigged(l.now,
		func() time.Duration { return l.now().Sub(scheduleStart) }, rand.Reader)

	a := l.actor("A").acquire()
	// by B, which had sent it before it lost its lease
	require.NoError(t, l.mem.Create(t.Context(), b, []int64{0, 1}, store.Nonce{9}))
	waits := errors.New("it waits until it has the place")
	var ended error
	beside := acquirer{growth: growth{caller: c.calling(l, b, func(call any) error {
		if call == nil {
			ended = waits
		}
		return ended
	})}}
	beside.h.view = store.View{Pool: b, CreateRate: 1}
	beside.fill()
	require.Equal(t, waits, ended)

	l.tick = 40
	require.True(t, a.extend())
	l.tick = 70
	require.NoError(t, l.mem.Delete(t.Context(), schedulePool.Layout)) // `worker quarantine`
	taker := acquirer{growth: growth{caller: c.calling(l, b, func(any) error { return nil })}}
	require.NoError(t, taker.acquire())
	lo, _ := taker.h.grant(noTick)
	_, hi := a.grant(noTick)
	assert.Greater(t, lo, hi)
}

// Two layouts that begin at the same moment delete each other's rows, but not for ever: one of
// them gets the place, and the other one is refused.
func TestTwoLayoutsThatBeginTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		mem := memory.New()
		s := through(func(ctx context.Context, call any) answer {
			time.Sleep(time.Millisecond)
			return ask(ctx, mem, call)
		})
		var errs [2]error
		var both sync.WaitGroup
		for i, n := range []Need{need, otherNeed} {
			n.Unit = time.Second
			both.Go(func() {
				var l Lease
				if l, errs[i] = Leased(s, Claim{Logger: discard}).Assign(ctx, n); errs[i] == nil {
					errs[i] = l.Release(ctx, math.MinInt64)
				}
			})
		}
		both.Wait()
		if errs[0] != nil {
			errs[0], errs[1] = errs[1], errs[0]
		}
		require.NoError(t, errs[0])
		assert.ErrorIs(t, errs[1], ErrOtherLayout)
	})
}
