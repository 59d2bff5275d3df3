package worker

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// askewStore has a clock that is off by the offset, shows its time in steps of a grain, and answers
// late.
type askewStore struct {
	store.Store
	by, late atomic.Int64
	grain    time.Duration
}

func askew(s *env, by, grain time.Duration) *askewStore {
	a := &askewStore{grain: grain}
	a.by.Store(int64(by))
	a.Store = s.SnapshotAt(func() time.Time { return time.Now().Add(time.Duration(a.by.Load())) })
	return a
}

func (s *askewStore) View(ctx context.Context, p store.Pool, first, last int64) (store.View,
	error) {
	time.Sleep(time.Duration(s.late.Load()) / 2)
	v, err := s.Store.View(ctx, p, first, last)
	time.Sleep(time.Duration(s.late.Load()) / 2)
	v.Now, v.Grain = v.Now.Truncate(s.grain), s.grain
	return v, err
}

// What is said of the offset holds, however late the answers come and however coarse the store's
// clock is. The log says once that the clocks differ, and once that they agree again.
func TestTheOffsetOfTheClock(t *testing.T) {
	for _, late := range []time.Duration{0, 200 * time.Millisecond, 2 * time.Second} {
		for _, grain := range []time.Duration{time.Millisecond, time.Second} {
			for _, by := range []time.Duration{0, 300 * time.Millisecond, -50 * time.Second,
				20 * time.Second} {
				inBubble(t, 1, func(t *testing.T, s *env) {
					askew := askew(s, -by, grain)
					askew.late.Store(int64(late))
					s.claim.TTL = 30 * time.Second
					l, err := Leased(askew, s.claim).Assign(t.Context(), need)
					require.NoError(t, err)
					s.leases = append(s.leases, l)
					offset := func() (offset, within time.Duration) {
						return l.(interface{ ClockOffset() (a, b time.Duration) }).ClockOffset()
					}
					check := func(by time.Duration) {
						got, within := offset()
						assert.LessOrEqual(t, (got - by).Abs(), within)
						assert.LessOrEqual(t, within, late/2+grain/2+time.Millisecond)
						assert.Positive(t, within)
					}
					check(by)
					s.work(l, 3*time.Minute)
					check(by)
					warned := s.log.lines(slog.LevelWarn)
					if beyond := by.Abs() - late - grain; beyond > much {
						require.Len(t, warned, 1)
						assert.Contains(t, warned[0], "differs from the store's")
					} else if by.Abs() < much {
						assert.Empty(t, warned)
					}
					askew.by.Store(0)
					askew.late.Store(0)
					s.work(l, 3*time.Minute)
					check(0)
					assert.Len(t, s.log.lines(slog.LevelWarn), len(warned))
					again := 0
					for _, line := range s.log.lines(slog.LevelInfo) {
						if assert.NotContains(t, line, "differs"); len(warned) > 0 && line != "" {
							again++
						}
					}
					if len(warned) > 0 {
						assert.Equal(t, 2, again, "the lease, and that they agree again")
					}
				})
			}
		}
	}
}

// A claim can refuse a clock that is off by less than a minute, once that is beyond doubt.
func TestAClaimRefusesAnOffset(t *testing.T) {
	for by, refused := range map[time.Duration]bool{-600 * time.Millisecond: true,
		600 * time.Millisecond: true, 400 * time.Millisecond: false, 0: false} {
		inBubble(t, 1, func(t *testing.T, s *env) {
			askew := askew(s, -by, time.Millisecond)
			s.claim.MaxClockOffset = 500 * time.Millisecond
			before := s.row(0)
			l, err := Leased(askew, s.claim).Assign(t.Context(), need)
			if refused {
				require.ErrorIs(t, err, ErrClock)
				assert.ErrorContains(t, err, "Claim.MaxClockOffset is 500ms")
				assert.Equal(t, before, s.row(0), "nothing was written")
				askew.late.Store(int64(400 * time.Millisecond)) // it may be 500 ms, or less
				l, err = Leased(askew, s.claim).Assign(t.Context(), need)
			}
			require.NoError(t, err)
			s.leases = append(s.leases, l)
		})
	}
}
