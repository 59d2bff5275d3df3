package zkstore

import (
	"context"
	"path"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// made is a store with this number of rows.
func made(t *testing.T, n int64) store.Store {
	s := shared(t)
	var workers []int64
	for id := range n {
		workers = append(workers, id)
	}
	require.NoError(t, s.Create(t.Context(), leasetest.Pool, workers, leasetest.Nonce()))
	return s
}

// All rows of a pool of the usual size are deleted at one instant: nobody ever sees some of
// them.
func TestAPoolIsDeletedInOneTransaction(t *testing.T) {
	t.Parallel()
	const n = 1024
	s := made(t, n)
	seen := map[int]bool{}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		for ctx.Err() == nil {
			names, err := of(s).children(t.Context(), path.Dir(node(s, 0)))
			assert.NoError(t, err)
			seen[len(names)] = true
		}
	})
	require.NoError(t, s.Delete(t.Context(), leasetest.Pool.Layout))
	stop()
	all.Wait()
	for names := range seen {
		assert.Contains(t, []int{0, n}, names)
	}
}

// Rows are written all the time, each as fast as its holder can. They are deleted all the
// same, if not in one transaction.
func TestRowsThatAreWrittenMeanwhileAreDeleted(t *testing.T) {
	t.Parallel()
	const n, holders = 64, 8
	s := made(t, n)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	for id := range int64(holders) {
		other := on(s, open(t, server.Get(t).Addr()))
		all.Go(func() {
			k := textstore.Key{Layout: leasetest.Pool.Layout, Worker: id}
			for nonce := uint32(1); ctx.Err() == nil; nonce++ {
				old, err := of(other).Get(t.Context(), k)
				if !assert.NoError(t, err) || old == "" {
					return
				}
				row := store.Row{Open: true}
				row.Nonce[0], row.Nonce[1], row.Nonce[2] = byte(nonce), byte(nonce>>8), byte(nonce>>16)
				row.Nonce[3] = 1
				if _, err = of(other).CompareAndSet(t.Context(), k, old,
					row.Text(leasetest.Pool)); !assert.NoError(t, err) {
					return
				}
			}
		})
	}
	require.NoError(t, s.Delete(t.Context(), ""))
	all.Wait() // each has seen that its row is gone
	v, err := s.View(t.Context(), leasetest.Pool, 0, n)
	require.NoError(t, err)
	assert.Empty(t, v.Rows)
}
