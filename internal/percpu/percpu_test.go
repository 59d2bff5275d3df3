package percpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/stretchr/testify/assert"
)

// Plain increments on shards lose nothing, also while GOMAXPROCS changes. Run it
// with -tags ringuid_portable too.
func TestAShardIsItsCallersAlone(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const goroutines, each = 16, 100_000
	s := New()
	shards := make([]struct {
		n int
		_ cacheline.Pad
	}, s.Len())
	var without atomic.Int64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range each {
				if i := s.Pin(); i >= 0 && i < len(shards) {
					shards[i].n++
					s.Unpin(i)
				} else {
					s.Unpin(i)
					without.Add(1)
				}
			}
		})
	}
	for _, procs := range []int{1, 8, 200, 3} {
		runtime.GOMAXPROCS(procs)
		runtime.Gosched()
	}
	wg.Wait()
	total := int(without.Load())
	for i := range shards {
		total += shards[i].n
	}
	assert.Equal(t, goroutines*each, total)
}

func TestTheZeroSetHasNoShard(t *testing.T) {
	var s Set
	i := s.Pin()
	s.Unpin(i)
	assert.Zero(t, s.Len())
}
