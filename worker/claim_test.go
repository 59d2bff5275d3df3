package worker

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// A clock that was far ahead for a moment leaves renewals of the future behind.
func TestHeldByAClockThatWasWrong(t *testing.T) {
	var c Claim
	v := store.View{Pool: need.pool(), Now: time.Now()}
	row := store.Row{Worker: 7, Open: true, Held: true, Renewed: v.Now.Add(time.Hour),
		Expires: v.Now.Add(2 * time.Hour)}
	_, err := c.noneFree(v, []store.Row{{Held: true, Renewed: v.Now}, row}, nil)
	require.ErrorIs(t, err, ErrAllHeld)
	assert.ErrorContains(t, err, "worker id 7 was renewed in the future, at "+
		row.Renewed.UTC().Format(time.RFC3339))
	assert.NotContains(t, err.Error(), "stop a process")
}

// A process that creates rows may leave some that it did not need to open.
func TestRowsThatAreNotOpen(t *testing.T) {
	now := time.Now()
	held := store.Row{Open: true, Held: true, Renewed: now, Expires: now.Add(time.Minute)}
	v := store.View{Pool: need.pool(), Now: now, Rows: []store.Row{held, {Worker: 1}, {Worker: 2}}}
	for _, existing := range []bool{true, false} {
		_, _, err := Claim{ExistingOnly: existing}.choose(moment{}, v)
		require.ErrorIs(t, err, ErrAllHeld)
		assert.Equal(t, existing, strings.Contains(err.Error(), "2 more are there that only a claim "+
			"without ExistingOnly opens, or `ringuid worker init "), err)
	}
}

func TestAllWorkerIdsHeld(t *testing.T) {
	inBubble(t, 3, func(t *testing.T, s *env) {
		first := time.Now()
		var oldest int64
		for i := range 3 {
			l := s.lease()
			if i == 0 {
				oldest = l.WorkerID()
			}
			time.Sleep(5 * time.Second)
		}
		_, err := s.patiently(10 * time.Second)
		require.ErrorIs(t, err, ErrAllHeld)
		assert.ErrorContains(t, err, "3 of 3")
		host, err2 := os.Hostname()
		require.NoError(t, err2)
		assert.ErrorContains(t, err, fmt.Sprintf("that of worker id %d of %q, ends at %s: if a process "+
			"was killed, wait until its lease ends, or look with", oldest, host,
			stamp(first.Add(90*time.Second))))
	})
}

// A claim that creates no rows makes no head either.
func TestAnEmptyPlaceStaysEmpty(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, s *env) {
		s.Restart("a server")
		_, err := Leased(s.network(), s.claim).Assign(t.Context(), need)
		require.ErrorIs(t, err, ErrAllHeld)
		v, err := s.Store.View(t.Context(), need.pool(), 0, 0)
		require.NoError(t, err)
		assert.Empty(t, v.Epoch)
	})
}

func TestPoisonedRowsArePassedOver(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		s.edit(0, func(r *store.Row) { r.High += 1e9 })
		assert.Equal(t, int64(1), s.lease().WorkerID())
		s.edit(1, func(r *store.Row) { r.Held, r.High = false, r.High+1e9 })
		_, err := s.patiently(time.Second)
		require.ErrorIs(t, err, ErrAllHeld)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "2 of 2")
		assert.ErrorContains(t, err, "a clock was wrong")
		assert.ErrorContains(t, err, "the first can be taken at "+time.Unix(s.row(0).High+1-60,
			0).UTC().Format(time.RFC3339))
		assert.ErrorContains(t, err, "worker quarantine", "there is a way out")
		s.edit(1, func(r *store.Row) { r.High, r.Owner = r.High-1000, "web-3" })
		_, err = s.patiently(time.Second)
		assert.ErrorContains(t, err, `worker id 1 was granted until `+time.Unix(s.row(1).High+1,
			0).UTC().Format(time.RFC3339)+` to "web-3"`)
	})
}

func TestClaimsThatCannotBeMet(t *testing.T) {
	for name, c := range map[string]struct {
		claim Claim
		need  Need
		want  error
		says  string
	}{
		"a negative count": {claim: Claim{First: 5, Count: -1}, want: ErrClaim,
			says: "-1 worker ids from 5 on"},
		"a first one alone": {claim: Claim{First: 5}, want: ErrClaim, says: "0 worker ids from 5 on"},
		"beyond all numbers": {claim: Claim{First: math.MaxInt64, Count: 2}, want: ErrIDRange,
			says: "2 worker ids from 9223372036854775807 on"},
		"a negative range": {claim: Claim{First: -1, Count: 5}, want: ErrClaim,
			says: "5 worker ids from -1 on"},
		"a range without rows": {claim: Claim{First: 7, Count: 3}, want: ErrAllHeld,
			says: "no rows"},
		"a range of more": {claim: Claim{First: 0, Count: 65537}, want: ErrClaim, says: "65536"},
		"a range that the layout lacks": {
			claim: Claim{First: 0, Count: 4}, need: Need{Unit: time.Second, MaxID: 1, Fingerprint: "test"},
			want: ErrIDRange, says: "0 to 1",
		},
		"negative times":     {claim: Claim{TTL: -1}, want: ErrClaim, says: "negative"},
		"a negative timeout": {claim: Claim{Timeout: -1}, want: ErrClaim, says: "negative"},
		"a negative slack":   {claim: Claim{Slack: -1}, want: ErrClaim, says: "negative"},
		"a slack that overflows": {claim: Claim{Slack: math.MaxInt64}, want: ErrClaim,
			says: "Slack of a day at most"},
		"a timeout that overflows": {claim: Claim{Timeout: math.MaxInt64}, want: ErrClaim,
			says: "Timeout and a Slack of a day"},
		"a negative offset": {claim: Claim{MaxClockOffset: -1}, want: ErrClaim, says: "negative"},
		"ticks of less than a millisecond": {
			need: Need{Unit: 1500 * time.Microsecond, MaxID: 3, Fingerprint: "test"},
			want: ErrClaim, says: "whole milliseconds"},
		"no name": {need: Need{Unit: time.Second, MaxID: 3}, want: ErrClaim, says: `Fingerprint ""`},
		"negative ticks": {need: Need{Unit: -time.Millisecond, MaxID: 3, Fingerprint: "test"},
			want: ErrClaim, says: "whole milliseconds"},
		"a TTL of nothing": {claim: Claim{TTL: 1}, want: ErrClaim, says: "want a TTL of 10ms or more"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 4, func(t *testing.T, s *env) {
				if c.need.Unit == 0 {
					c.need = need
				}
				c.claim.Logger, c.claim.ExistingOnly = s.claim.Logger, true
				_, err := Leased(s.network(), c.claim).Assign(t.Context(), c.need)
				require.ErrorIs(t, err, c.want)
				assert.ErrorContains(t, err, c.says)
				assert.Zero(t, s.written())
			})
		})
	}
}

// Where all worker ids of the claim are keys that were given out, or a row cannot be read, there
// is nothing to wait for.
func TestViewsThatServeNoClaim(t *testing.T) {
	p := caller{need: need, c: Claim{First: 1, Count: 3}, at: moment{wall: time.Unix(1e9, 0)}}
	v := store.View{Pool: need.pool(), Now: p.at.wall, Keys: 2}
	require.NoError(t, p.serves(v))
	v.Keys = 3
	err := p.serves(v)
	require.ErrorIs(t, err, ErrOverlap)
	assert.ErrorContains(t, err, "First 514, Count 510); or, if the ids of both never meet, use")
	v.Keys = 1 << 40
	assert.ErrorContains(t, p.serves(v), "; or, if the ids of both never meet, another database")
	v.Keys = 3
	v.Rows = []store.Row{{Worker: 2, Open: true}}
	require.NoError(t, p.serves(v), "it was opened before, and may be taken")
	v.Unreadable = errDown
	require.ErrorIs(t, p.serves(v), errDown)
}

// What Check says of a store decides, unless a claim accepts its settings.
func TestAStoreThatIsNotSetUp(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, _ *time.Duration) {
		c := claims(time.Second, 1)
		for _, err := range []error{ErrStore, errDown} {
			_, refused := Leased(unfit{s, false, err}, c).Assign(t.Context(), need)
			require.ErrorIs(t, refused, err)
		}
		c.AllowUnfenced = true
		_, refused := Leased(unfit{s, false, errDown}, c).Assign(t.Context(), need)
		require.ErrorIs(t, refused, errDown)
		for want, s := range map[Class]store.Store{Unfenced: unfit{s, false, ErrStore},
			FencedLossy: unfit{s, true, nil}, Fenced: s} {
			l, err := Leased(s, c).Assign(t.Context(), need)
			require.NoError(t, err)
			assert.Equal(t, want, l.Class())
			require.NoError(t, l.Release(t.Context(), math.MinInt64))
		}
	})
}
