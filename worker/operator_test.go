package worker

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// An operator's word is taken where a new pool would take minutes to its first id. Where pools
// have heads, the head begins now, too.
func TestInitOfAFreshPool(t *testing.T) {
	for _, server := range []string{"", "a server"} {
		inBubble(t, 0, func(t *testing.T, s *env) {
			s.Restart(server)
			s.claim.ExistingOnly = false
			_, err := InitFresh(t.Context(), s.network(), s.claim, need)
			require.ErrorIs(t, err, ErrClaim)
			assert.ErrorContains(t, err, "fresh is for ticks of 1m0s or more")

			hours := Need{Unit: time.Hour, MaxID: 3, Fingerprint: "hours"}
			_, err = InitFresh(t.Context(), s.network(), s.claim, hours)
			require.NoError(t, err)
			begin := time.Now()
			l, err := Leased(s.network(), s.claim).Assign(t.Context(), hours)
			require.NoError(t, err)
			defer l.Release(t.Context(), math.MinInt64)
			assert.Less(t, time.Since(begin), time.Second)
			lo, _ := l.Grant()
			assert.Equal(t, hours.pool().TickAt(time.Now()), lo)
		})
	}
}

// Rows of others are opened as ever: a process may have been granted something with one of them
// before it was deleted.
func TestInitOfAFreshPoolBesideOthers(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, s *env) {
		hours := Need{Unit: time.Hour, MaxID: 3, Fingerprint: "hours"}
		require.NoError(t, s.Create(t.Context(), hours.pool(), []int64{2}, store.Nonce{1}))
		s.claim.ExistingOnly = false
		v, err := InitFresh(t.Context(), s.network(), s.claim, hours)
		require.NoError(t, err)
		require.Len(t, v.Rows, 4)
		now := v.TickAt(time.Now())
		for _, r := range v.Rows {
			assert.Equal(t, r.Worker == 2, r.High > now, "worker id %d", r.Worker)
		}
	})
}

// A row of an earlier creation is not opened by who asked for the time before it was created.
func TestEachCreationHasANonceOfItsOwn(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, s *env) {
		s.claim.ExistingOnly = false
		seen := map[store.Nonce]bool{}
		for n := range 3 {
			_, err := Init(t.Context(), through(func(ctx context.Context, call any) answer {
				if c, creates := call.(creation); creates {
					seen[c.nonce] = true
				}
				return ask(ctx, s.Store, call)
			}), s.claim, need)
			require.NoError(t, err)
			require.Len(t, seen, n+1)
			require.NoError(t, s.Delete(t.Context(), need.Fingerprint))
		}
	})
}

// A row that is freed keeps its High, and only stealing takes one from a holder that is alive.
func TestReleaseAndSteal(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.claim.Owner = "its holder"
		l := s.lease()
		_, err := Release(t.Context(), s.network(), need, 0, "an operator")
		require.ErrorIs(t, err, ErrHeld)
		s.edit(0, func(r *store.Row) { r.Owner = "" })
		_, err = Release(t.Context(), s.network(), need, 0, "")
		require.ErrorIs(t, err, ErrHeld, "two without a name are not one")
		s.edit(0, func(r *store.Row) { r.Owner = s.claim.Owner })
		assert.NoError(t, l.Err())

		v, err := Steal(t.Context(), s.network(), need, 0)
		require.NoError(t, err)
		require.Len(t, v.Rows, 1, "the row as it was")
		row := s.row(0)
		assert.False(t, row.Held)
		assert.Equal(t, v.Rows[0].High, row.High, "all that was granted counts as minted")
		s.work(l, time.Minute)
		assert.ErrorIs(t, l.Err(), ErrFenced)
		assert.ErrorContains(t, l.Err(), "is free, as after `ringuid worker release` or `steal`")
		assert.NotErrorIs(t, l.Err(), ErrRolledBack, "the store lost nothing")

		_, err = Release(t.Context(), s.network(), need, 0, "an operator")
		require.NoError(t, err, "nobody holds it")
		assert.Equal(t, row, s.row(0), "and it stays as it is")
		_, err = Release(t.Context(), s.network(), need, 1, "an operator")
		require.ErrorIs(t, err, ErrNoRows)
		lo, _ := s.lease().Grant()
		assert.Greater(t, lo, row.High)
	})
}

// The owner frees its row at once, and others do when its lease has ended. Settings that may
// lose worker ids are no reason to hold on to one.
func TestReleaseWithoutForce(t *testing.T) {
	for owner, wait := range map[string]time.Duration{
		"its holder": 0, "an operator": 2 * time.Minute} {
		inBubble(t, 1, func(t *testing.T, s *env) {
			s.claim.Owner = "its holder"
			l := s.lease()
			s.set(func(f *flaky) { f.down = true })
			time.Sleep(wait)
			_, err := Release(t.Context(), s.network(), need, 0, owner)
			require.ErrorIs(t, err, errDown)
			_, err = Release(t.Context(), unfit{s.Store, false, ErrStore}, need, 0, owner)
			require.NoError(t, err)
			assert.False(t, s.row(0).Held)
			assert.NoError(t, l.Err())
		})
	}
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.lease()
		_, err := Steal(t.Context(), through(func(ctx context.Context, call any) answer {
			if _, writes := call.(store.Write); writes {
				return answer{} // the row changed meanwhile
			}
			return ask(ctx, s.Store, call)
		}), need, 0)
		require.ErrorIs(t, err, errMissed)
	})
}

// Whoever passes nothing is told so.
func TestNoStore(t *testing.T) {
	for what, call := range map[string]func() error{
		"Leased": func() error {
			_, err := Leased(nil, Claim{}).Assign(t.Context(), need)
			return err
		},
		"AssignerFunc": func() error {
			_, err := AssignerFunc(nil).Assign(t.Context(), need)
			return err
		},
		"Disposable": func() error { _, err := Disposable(nil).Assign(t.Context(), need); return err },
		"AllowUnfenced": func() error {
			_, err := Disposable(AllowUnfenced(nil)).Assign(t.Context(), need)
			return err
		},
		"Quarantine": func() error {
			_, err := Quarantine(t.Context(), nil, QuarantineOptions{})
			return err
		},
		"Init": func() error {
			_, err := Init(t.Context(), nil, Claim{}, need)
			return err
		},
		"Release": func() error {
			_, err := Release(t.Context(), nil, need, 1, "")
			return err
		},
	} {
		require.ErrorIs(t, call(), ErrClaim, what)
	}
}
