package worker

import (
	"context"
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
		assert.ErrorContains(t, err, "or, if `ringuid migrate` finds it safe, stop all its processes "+
			"and wait until then; or, if their ids never meet, set Claim.AllowOtherLayouts")
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
	inBubble(t, 1, func(t *testing.T, s *env) {
		require.NoError(t, s.Create(t.Context(), otherNeed.pool(), []int64{3}, store.Nonce{9}))
		s.claim.ExistingOnly = false
		var purged []any
		a := acquirer{growth: growth{caller: s.claim.withDefaults().caller(t.Context(),
			through(func(ctx context.Context, call any) answer {
				if _, purges := call.(purge); purges {
					purged = append(purged, call)
				}
				return ask(ctx, s.Store, call)
			}), need)}}
		require.NoError(t, a.acquire())
		assert.Equal(t, []any{purge{}}, purged, "all rows of the place")
		synctest.Wait()
		assert.Contains(t, s.log.lines(slog.LevelWarn)[0], "another layout, which nobody used any more")
	})
}

// Whoever creates rows beside its work opens none while another layout has the place: what they
// begin with could lie below what that is granted until its rows are deleted.
func TestRowsAreNotOpenedBesideAnotherLayout(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.lease()
		require.NoError(t, s.Create(t.Context(), otherNeed.pool(), []int64{0, 1}, store.Nonce{9}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		slow := through(func(ctx context.Context, call any) answer { return slowly(ctx, s.Store, call) })
		beside := acquirer{growth: growth{
			caller: Claim{Logger: discard}.withDefaults().caller(ctx, slow, otherNeed)}}
		beside.h.view = store.View{Pool: otherNeed.pool(), CreateRate: 1}
		beside.fill()
		v, err := s.View(t.Context(), otherNeed.pool(), 0, need.MaxID)
		require.NoError(t, err)
		require.Len(t, v.Rows, 2)
		assert.False(t, v.Rows[0].Open || v.Rows[1].Open)
	})
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

// A stray process that may create no rows would leave none to those that may not, either.
func TestWhoCreatesNoRowsDeletesNone(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		time.Sleep(time.Hour) // no row is in use
		_, err := Leased(s.network(), s.claim).Assign(t.Context(), otherNeed)
		require.ErrorIs(t, err, ErrOtherLayout)
		assert.ErrorContains(t, err, "init --store URL --layout LAYOUT --epoch TIME`, which does")
		require.NoError(t, s.lease().Release(t.Context(), math.MinInt64))
		time.Sleep(time.Hour)
		_, err = Init(t.Context(), s.network(), s.claim, otherNeed)
		require.NoError(t, err)
		l, err := Leased(s.network(), s.claim).Assign(t.Context(), otherNeed)
		require.NoError(t, err)
		require.NoError(t, l.Release(t.Context(), math.MinInt64))
	})
}
