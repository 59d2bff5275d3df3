package worker_test

import (
	"context"
	"crypto/rand"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func TestAllWorkerIdsHeld(t *testing.T) {
	onSite(t, 3, func(t *testing.T, s *site) {
		first := time.Now()
		for range 3 {
			s.lease()
			time.Sleep(5 * time.Second)
		}
		_, err := worker.Leased(s.flaky, s.claim).Assign(t.Context(), need)
		require.ErrorIs(t, err, worker.ErrAllHeld)
		assert.ErrorContains(t, err, "3 of the 3")
		assert.ErrorContains(t, err, first.Add(90*time.Second).UTC().Format(time.RFC3339), "when the first may be recycled")
	})
}

func TestPoisonedRowsArePassedOver(t *testing.T) {
	onSite(t, 2, func(t *testing.T, s *site) {
		s.Edit("default", 0, func(r *store.Row) { r.High += 1e9 })
		assert.Equal(t, int64(1), s.lease().WorkerID())
		s.Edit("default", 1, func(r *store.Row) { r.Held, r.High = false, r.High+1e9 })
		_, err := worker.Leased(s.flaky, s.claim).Assign(t.Context(), need)
		require.ErrorIs(t, err, worker.ErrAllHeld)
		assert.ErrorContains(t, err, "all 2")
		assert.ErrorContains(t, err, "a clock was wrong")
		assert.ErrorContains(t, err, "the first can be had from "+time.Unix(s.row(0).High+1-60, 0).UTC().Format(time.RFC3339))
		assert.ErrorContains(t, err, "worker init", "there is a way out")
		s.Edit("default", 1, func(r *store.Row) { r.High, r.Owner = r.High-1000, "web-3" })
		_, err = worker.Leased(s.flaky, s.claim).Assign(t.Context(), need)
		assert.ErrorContains(t, err, `worker id 1 was granted until `+time.Unix(s.row(1).High+1, 0).UTC().Format(time.RFC3339)+` to "web-3"`)
	})
}

func TestClaimsThatCannotBeMet(t *testing.T) {
	for name, c := range map[string]struct {
		claim worker.Claim
		need  worker.Need
		want  error
		says  string
	}{
		"a range that ends before it begins": {claim: worker.Claim{First: 5, Last: 3}, want: worker.ErrClaim, says: "5 to 3"},
		"a negative range":                   {claim: worker.Claim{First: -1, Last: 3}, want: worker.ErrClaim, says: "-1 to 3"},
		"a range without rows":               {claim: worker.Claim{First: 2, Last: 9}, want: worker.ErrClaim, says: "rows for 0 to 3"},
		"a range that the layout lacks": {
			claim: worker.Claim{First: 0, Last: 3}, need: worker.Need{Unit: time.Second, MaxID: 1, Fingerprint: "test"},
			want: worker.ErrRange, says: "0 to 1",
		},
		"a namespace larger than the layout": {
			need: worker.Need{Unit: time.Second, MaxID: 1, Fingerprint: "test"},
			want: worker.ErrRange, says: "up to 3",
		},
		"another layout": {
			need: worker.Need{Unit: time.Second, MaxID: 1023, Fingerprint: "other"},
			want: worker.ErrNamespace, says: "one namespace per layout",
		},
		"another unit": {
			need: worker.Need{Unit: time.Minute, MaxID: 1023, Fingerprint: "test"},
			want: worker.ErrNamespace, says: "ticks of 1s",
		},
		"another namespace": {claim: worker.Claim{Namespace: "other"}, want: worker.ErrNoNamespace, says: `"other"`},
		"negative times":    {claim: worker.Claim{TTL: -1}, want: worker.ErrClaim, says: "negative"},
		"a TTL of nothing":  {claim: worker.Claim{TTL: 1}, want: worker.ErrClaim, says: "want 10ms or more"},
	} {
		t.Run(name, func(t *testing.T) {
			onSite(t, 4, func(t *testing.T, s *site) {
				if c.need.Unit == 0 {
					c.need = need
				}
				c.claim.Logger = s.claim.Logger
				_, err := worker.Leased(s.flaky, c.claim).Assign(t.Context(), c.need)
				require.ErrorIs(t, err, c.want)
				assert.ErrorContains(t, err, c.says)
				assert.Zero(t, s.written())
			})
		})
	}
}

func TestNamespacesThatCannotBeMade(t *testing.T) {
	for name, c := range map[string]struct {
		unit        time.Duration
		first, last int64
		window      time.Duration
		want        error
	}{
		"a window shorter than two ticks":       {unit: time.Second, last: 3, window: 1999 * time.Millisecond, want: worker.ErrClaim},
		"a window without end":                  {unit: time.Second, last: 3, window: math.MaxInt64, want: worker.ErrClaim},
		"minutes without a window of their own": {unit: time.Minute, last: 3, want: worker.ErrClaim},
		"an empty range":                        {unit: time.Second, first: 3, last: 2, want: worker.ErrClaim},
		"more than the layout holds":            {unit: time.Second, last: 1024, want: worker.ErrRange},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := worker.NewNamespace("n", worker.Need{Unit: c.unit, MaxID: 1023, Fingerprint: "test"}, c.first, c.last, c.window)
			assert.ErrorIs(t, err, c.want)
		})
	}
}

// shortWindow is a namespace that something else made with a window of one tick.
type shortWindow struct{ worker.Store }

func (s shortWindow) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	v, err := s.Store.View(ctx, namespace, first, last)
	v.Window = 1
	return v, err
}

func TestAWindowTooShortToRenew(t *testing.T) {
	onSite(t, 1, func(t *testing.T, s *site) {
		_, err := worker.Leased(shortWindow{s.Store}, s.claim).Assign(t.Context(), need)
		require.ErrorIs(t, err, worker.ErrNamespace)
		assert.ErrorContains(t, err, "too few to renew in time")
	})
}

func TestClocksTooFarApart(t *testing.T) {
	onSite(t, 1, func(t *testing.T, s *site) {
		for _, off := range []time.Duration{-time.Minute, time.Minute, 10 * 365 * 24 * time.Hour} {
			wall := func() time.Time { return time.Now().Add(off) }
			begin := time.Now()
			c := s.claim.Rigged(wall, func() time.Duration { return time.Since(begin) }, rand.Reader)
			_, err := worker.Leased(s.flaky, c).Assign(t.Context(), need)
			require.ErrorIs(t, err, worker.ErrClock)
			assert.ErrorContains(t, err, wall().UTC().Format(time.RFC3339), "this clock")
			assert.ErrorContains(t, err, time.Now().UTC().Format(time.RFC3339), "and the store's")
		}
	})
}
