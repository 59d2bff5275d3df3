package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// The first start in an empty place creates the rows, and waits for slack and a tick.
func TestTheFirstStartCreatesTheRows(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, s *env) {
		s.claim.ExistingOnly = false
		begin := time.Now()
		l := s.lease()
		assert.LessOrEqual(t, time.Since(begin), 6*time.Second+500*time.Millisecond)
		lo, _ := l.Grant()
		assert.Equal(t, begin.Unix()+60+5+1, lo)
		v, err := s.View(t.Context(), need.pool(), 0, need.MaxID)
		require.NoError(t, err)
		assert.Len(t, v.Rows, 1024)
		synctest.Wait()
		assert.Empty(t, s.log.lines(slog.LevelWarn))
		lines := s.log.lines(slog.LevelInfo)
		require.Len(t, lines, 1, "the lease, and how far its ids are ahead")
		assert.Contains(t, lines[0], "layout=test times_in_ids_from="+
			time.Unix(lo, 0).UTC().Format("2006-01-02T15:04:05"))
		assert.Contains(t, lines[0], "ahead_of_the_clock=1m0s")

		begin = time.Now()
		other, err := s.patiently(time.Minute)
		require.NoError(t, err)
		s.leases = append(s.leases, other)
		assert.Less(t, time.Since(begin), time.Second, "the rows are open")
	})
}

// Whoever may not create a row, or not open it, is told so, and does not ask for ever.
func TestRowsThatCannotBeMade(t *testing.T) {
	for _, refused := range []any{creation{}, opening{}, askTime{}} {
		t.Run(fmt.Sprintf("%T", refused), func(t *testing.T) {
			inBubble(t, 0, func(t *testing.T, s *env) {
				s.claim.ExistingOnly = false
				_, err := Leased(through(func(ctx context.Context, call any) answer {
					if fmt.Sprintf("%T", call) == fmt.Sprintf("%T", refused) {
						return answer{err: errDown}
					}
					return ask(ctx, s.Store, call)
				}), s.claim).Assign(t.Context(), need)
				require.ErrorIs(t, err, errDown)
			})
		})
	}
}

// Whatever keeps the rows of nobody from being taken.
func TestAssignWaitsForARowThatNobodyHolds(t *testing.T) {
	for name, c := range map[string]struct {
		told int // lines in the log
		park func(t *testing.T, s *env)
	}{
		"released by one that borrowed all, a second ahead": {0, func(t *testing.T, s *env) {
			l := s.lease()
			_, hi := l.Grant()
			require.NoError(t, l.Release(t.Context(), hi))
		}},
		"of one that died": {1, func(t *testing.T, s *env) {
			s.edit(0, func(r *store.Row) {
				r.Held, r.Expires, r.High = true,
					time.Now().Add(-time.Hour), nowTick()+90
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 1, func(t *testing.T, s *env) {
				c.park(t, s)
				high := s.row(0).High
				lo, _ := s.lease().Grant()
				assert.Greater(t, lo, high)
				assert.Len(t, s.log.lines(slog.LevelWarn), c.told)
			})
		})
	}
}

var errReadOnly = errors.New("permission denied")

// It would try for ever on a context without an end.
func TestAStoreThatRefusesWritesIsAnErrorAtTheStart(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, s *env) {
		begin := time.Now()
		s.set(func(f *flaky) { f.refuses = errReadOnly })
		_, err := Leased(s.network(), s.claim).Assign(context.Background(), need)
		require.ErrorIs(t, err, errReadOnly)
		assert.ErrorContains(t, err, `the store can be read but not written`)
		assert.Less(t, time.Since(begin), startFor+10*time.Second)
		warned := s.log.lines(slog.LevelWarn)
		require.Len(t, warned, 1)
		assert.Contains(t, warned[0], "can be read but not written")
	})
}

// A generator that is near the end of its grant asks no more often for that while the store is
// down.
func TestABurstDoesNotHammerAStoreThatIsDown(t *testing.T) {
	inBubble(t, 0, func(t *testing.T, s *env) {
		s.claim.ExistingOnly = false
		calls, network := 0, s.network().(through)
		l, err := Leased(through(func(ctx context.Context, call any) answer {
			calls++
			return network(ctx, call)
		}), s.claim).Assign(t.Context(), Need{Unit: time.Millisecond, MaxID: 3, Fingerprint: "millis"})
		require.NoError(t, err)
		s.leases = append(s.leases, l)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		_, hi := l.Grant()
		s.set(func(f *flaky) { f.down = true })
		before := calls
		for tick := hi - 900; tick <= hi; tick++ {
			l.Want(tick)
			time.Sleep(10 * time.Millisecond)
		}
		synctest.Wait()
		assert.Less(t, calls-before, 50)
	})
}

// A generator that asks for another worker id has no other bound than this.
func TestATimeoutBoundsEachCallOfAnAssign(t *testing.T) {
	for name, stops := range map[string]any{"View": lookup{}, "Raise": raising{}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				mem := memory.New()
				mem.Restart("another server")
				s := through(func(ctx context.Context, call any) answer {
					if reflect.TypeOf(call) == reflect.TypeOf(stops) {
						return hang(ctx)
					}
					return ask(ctx, mem, call)
				})
				c := Claim{Timeout: 2 * time.Second, Logger: discard}
				_, err := Leased(s, c).Assign(context.Background(), need)
				assert.ErrorIs(t, err, context.DeadlineExceeded)
				assert.ErrorContains(t, err, "this call had 20s (see Claim.Timeout)")
			})
		})
	}
}

// A store that very many ask at once answers each of them late.
func TestAStartHasPatienceWithASlowStore(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		slow := through(func(ctx context.Context, call any) answer {
			select {
			case <-time.After(15 * time.Second):
				return ask(ctx, s.Store, call)
			case <-ctx.Done():
				return answer{err: context.Cause(ctx)}
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		l, err := Leased(slow, s.claim).Assign(ctx, need)
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second, l.(*held).keeper.c.Timeout, "a renewal has time enough")
		s.leases = append(s.leases, l)
	})
}

// Two copies of a machine have the same random numbers ahead of them. They may draw one at the same
// time, if not all.
func TestCopiesWithTheSameRandomNumbersHaveNoncesOfTheirOwn(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	nonces := func(times ...time.Duration) (all []store.Nonce) {
		var now time.Time
		c := Claim{}.rigged(func() time.Time { return now }, func() time.Duration { return 0 },
			rand.NewChaCha8([32]byte{1}))
		for _, t := range times {
			now = at.Add(t)
			all = append(all, c.nonce())
		}
		return all
	}
	one, two := nonces(0, 1, 5), nonces(0, 2, 5)
	assert.Equal(t, one[0], two[0])
	assert.NotEqual(t, one[1], two[1])
	assert.NotEqual(t, one[2], two[2])
}

// Somebody wrote the highest number that there is into a row, so that nobody takes it. One more
// is the lowest one, above which everything was granted before.
func TestARowThatIsGrantedForEver(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.edit(0, func(r *store.Row) { r.High = math.MaxInt64 })
		_, err := s.patiently(time.Minute)
		require.ErrorIs(t, err, ErrAllHeld)
		assert.ErrorContains(t, err, "the first can be taken at 10000")

		claim := s.claim
		claim.ExistingOnly = false
		_, err = Leased(s.Store, claim).Assign(t.Context(), otherNeed)
		require.ErrorIs(t, err, ErrOtherLayout)
		assert.Equal(t, int64(math.MaxInt64), s.row(0).High)
	})
}

// What a start waited for last says more than how it failed before.
func TestAStartThatFailedAndThenWaitedSaysWhatItWaitedFor(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.edit(0, func(r *store.Row) { r.High = nowTick() + 999 })
		s.set(func(f *flaky) { f.lossy = true })
		time.AfterFunc(5*time.Second, func() { s.set(func(f *flaky) { f.lossy = false }) })
		_, err := s.patiently(time.Minute)
		assert.ErrorIs(t, err, ErrAllHeld)
	})
}
