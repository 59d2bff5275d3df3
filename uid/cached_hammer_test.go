package uid

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// The ring is filled, dropped and used up, the clock is set, worker ids are lost and their machine
// is restored, beside takes that make ids and streams that hold some: none comes twice, and what a
// goroutine takes increases.
func TestHammerOfTakesBesideFills(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		c, clock := testConfig(), new(setClock)
		c.Layout = Layout{Epoch: testLayout.Epoch, Unit: time.Millisecond, TimeBits: 41, WorkerBits: 14,
			SeqBits: 7}
		c.RingSize, c.MaxLag, c.ScheduleInterval = 512, 4*time.Millisecond, leastInterval
		c.Now = clock.Now
		leases := &descending{next: c.Layout.MaxWorker()}
		g := cached(t, leases, c)
		g.conf.spread = 0
		g.mint.padder.Do(func() { g.conf.maxSegment = maxSegment })
		var over atomic.Bool
		var wg sync.WaitGroup
		lists := make([][]ID, 6)
		for i := range lists {
			wg.Go(func() {
				r, ids, stream := rand.New(rand.NewPCG(uint64(i), 0)), lists[i], g.Stream()
				for !over.Load() {
					switch {
					case i < 2:
						ids = append(ids, takeAll(t, stream, 20)...)
					case r.IntN(2) == 0:
						batch, err := g.AppendUIDs(nil, 1+r.IntN(40))
						assert.NoError(t, err)
						ids = append(ids, batch...)
					default:
						ids = append(ids, takeAll(t, g, 20)...)
					}
					runtime.Gosched() // who changes things shall run
				}
				lists[i] = ids
			})
		}
		r, changes := rand.New(rand.NewPCG(1, 2)), underRace(300, 60)
		for i := range changes {
			switch leased := g.Stats().Leases; r.IntN(8) {
			case 0:
				g.flush()
			case 1:
				leases.lose(worker.ErrFenced)
				for g.Stats().Leases == leased {
					runtime.Gosched()
				}
			case 2:
				clock.step(time.Duration(r.IntN(7)-3) * time.Millisecond)
			case 3:
				g.AfterRestore()
			default:
				g.mint.padder.Do(func() { g.mint.pays = !g.mint.pays })
			}
			for range i % 20 {
				runtime.Gosched()
			}
		}
		over.Store(true)
		wg.Wait()
		require.NoError(t, g.Close())
		all := slices.Concat(lists...)
		for _, ids := range lists {
			assert.True(t, slices.IsSorted(ids))
		}
		distinct(t, all)
		assert.GreaterOrEqual(t, g.Stats().Taken, int64(len(all)))
	}
}
