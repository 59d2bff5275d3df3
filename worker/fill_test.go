package worker

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// slowly is the answer to a call of a store that creates rows one by one.
func slowly(ctx context.Context, s store.Raiser, call any) answer {
	a := ask(ctx, s, call)
	a.view.CreateRate = 10
	return a
}

// Rows are created beside the work of those that need them: the first one at once, and all
// others no faster than the store bears, however many processes there are.
func TestRowsAreCreatedBesideTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memory.New()
		var mu sync.Mutex
		var created []time.Time
		s := through(func(ctx context.Context, call any) answer {
			if c, creates := call.(creation); creates {
				mu.Lock()
				defer mu.Unlock()
				created = append(created, slices.Repeat([]time.Time{time.Now()}, len(c.workers))...)
			}
			return slowly(ctx, mem, call)
		})
		const processes, rows = 8, 500
		begin := time.Now()
		var all sync.WaitGroup
		leases := make([]Lease, processes)
		for i := range leases {
			all.Go(func() {
				l, err := Leased(s, Claim{Count: rows, Logger: discard}).Assign(t.Context(), need)
				if assert.NoError(t, err) {
					leases[i] = l
				}
			})
		}
		all.Wait()
		assert.LessOrEqual(t, time.Since(begin), 8*time.Second)
		time.Sleep(4 * time.Minute)
		synctest.Wait()
		v, err := s.View(t.Context(), need.pool(), 0, rows)
		require.NoError(t, err)
		open := 0
		for _, r := range v.Rows {
			if r.Open {
				open++
			}
		}
		assert.Equal(t, rows, open)
		most := 0
		for i, at := range created {
			n := 0
			for _, other := range created[i:] {
				if other.Sub(at) < 10*time.Second {
					n++
				}
			}
			most = max(most, n)
		}
		assert.LessOrEqual(t, most, 2*10*10, "in ten seconds, after the first")
		for _, l := range leases {
			require.NoError(t, l.Release(t.Context(), math.MinInt64))
		}
	})
}

// A claim that creates nothing creates nothing beside the work either.
func TestRowsThatTheClaimMayNotCreate(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		slow := through(func(ctx context.Context, call any) answer { return slowly(ctx, s.Store, call) })
		s.leases = append(s.leases, assign(t, Leased(slow, s.claim)))
		time.Sleep(time.Minute)
		v, err := s.Store.View(t.Context(), need.pool(), 0, need.MaxID)
		require.NoError(t, err)
		assert.Len(t, v.Rows, 1)
	})
}
