package docstore

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// crowd is a place with the rows of a pool, in a bubble, and processes that start there at once.
type crowd struct {
	*bucket
	leases []worker.Lease
	took   []time.Duration
}

// start starts n processes at once, and returns when all have a worker id.
func start(t *testing.T, b *bucket, n, rows int) *crowd {
	claim := worker.Claim{Count: int64(rows), Logger: slog.New(slog.DiscardHandler)}
	_, err := worker.Init(t.Context(), b.open(), claim, leasetest.Need)
	require.NoError(t, err)
	time.Sleep(2 * time.Minute) // what is new begins in the future
	c := &crowd{bucket: b, leases: make([]worker.Lease, n), took: make([]time.Duration, n)}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			began := time.Now()
			var err error
			c.leases[i], err = worker.Leased(b.open(), claim).Assign(t.Context(), leasetest.Need)
			assert.NoError(t, err)
			c.took[i] = time.Since(began)
		})
	}
	all.Wait()
	require.False(t, t.Failed())
	slices.Sort(c.took)
	t.Logf("%d processes, %v a request, a write each %v: half have an id after %v, all after %v", n,
		b.latency, b.pace, c.took[n/2], c.took[n-1])
	return c
}

// end gives all worker ids back. Those whose documents are too busy expire.
func (c *crowd) end(t *testing.T) {
	for _, l := range c.leases {
		_ = l.Release(t.Context(), math.MinInt64)
	}
}

// How long processes that start at once wait for a worker id, where a request takes 50 ms.
func TestManyStartAtOnce(t *testing.T) {
	race.Skip(t) // half a minute of a processor
	for _, c := range []struct {
		n, rows    int
		pace, most time.Duration
		minutes    int
	}{
		{1, 1024, 0, 250 * time.Millisecond, 0}, // five requests, one after another
		{200, 1024, 0, 3 * time.Second, 0},
		{200, 1024, time.Second, 20 * time.Second, 0},
		{400, 512, time.Second, time.Minute, 2},
	} {
		t.Run(fmt.Sprint(c.n, " ", c.pace), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				crowd := start(t, &bucket{latency: 50 * time.Millisecond, pace: c.pace}, c.n, c.rows)
				defer crowd.end(t)
				assert.LessOrEqual(t, crowd.took[c.n-1], c.most)
				for range c.minutes { // nobody is without a grant
					time.Sleep(time.Minute)
					for _, l := range crowd.leases {
						_, hi := l.Grant()
						assert.Greater(t, hi, leasetest.Pool.TickAt(time.Now()))
						assert.NoError(t, l.Err())
					}
				}
			})
		})
	}
}
