package uid

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// hammered takes ids from many goroutines, one by one, in batches, and of a name,
// until over says so. Each goroutine's grow, unless the clock's turns forbid.
func hammered(t *testing.T, g *DefaultGenerator, goroutines, atLeast int,
	over *atomic.Bool) (own, named []ID) {
	grow := g.conf.Layout.TurnBits == 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 0))
			var mine [2][]ID
			for len(mine[0])+len(mine[1]) < atLeast || !over.Load() {
				n, err := 1+r.IntN(40), error(nil)
				switch way := r.IntN(4); way {
				case 0, 1:
					mine[0], err = g.AppendUIDs(mine[0], n)
				default:
					for ; n > 0 && err == nil; n-- {
						var id ID
						if way == 2 {
							id, err = g.GetUID()
						} else {
							id, err = g.GetUIDFor(t.Context(), "a")
						}
						if err == nil {
							mine[way-2] = append(mine[way-2], id)
						}
					}
				}
				if err != nil && (grow || !errors.Is(err, ErrClockBack)) {
					t.Error(err)
					return
				}
				runtime.Gosched() // who ends segments shall run
			}
			for _, ids := range mine {
				for i, id := range ids[min(1, len(ids)):] {
					if id <= ids[i] && grow {
						t.Errorf("%d after %d", id, ids[i])
						return
					}
				}
			}
			mu.Lock()
			defer mu.Unlock()
			own, named = append(own, mine[0]...), append(named, mine[1]...)
		})
	}
	wg.Wait()
	return own, named
}

// Ticks end, the clock is set, worker ids are lost, fenced, and their machine is
// restored, all at once: no id comes twice, and what was counted as taken was.
func TestSegmentsBesideAllThatEndsThem(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		for name, back := range map[string]policy.ClockBack{"turn": policy.Turn, "go on": policy.GoOn} {
			t.Run(fmt.Sprintf("GOMAXPROCS %d, %s", procs, name), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				c := testConfig()
				c.ClockBack, c.TickFull = back, policy.BorrowAhead(1<<20)
				c.Layout = Layout{Epoch: DefaultLayout().Epoch, Unit: time.Millisecond, TimeBits: 41,
					WorkerBits: 14, SeqBits: 7}
				if name == "turn" {
					c.Layout.TurnBits, c.TickFull = 1, policy.WaitNext
				}
				var offset atomic.Int64
				c.Now = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
				leases := &descending{next: c.Layout.MaxWorker()}
				g := trusting(t, leases, c, maxSegment)
				defer g.Close()

				var over atomic.Bool
				var wg sync.WaitGroup
				wg.Go(func() {
					defer over.Store(true)
					r := rand.New(rand.NewPCG(1, 2))
					for i := range underRace(200, 60) {
						switch r.IntN(4) {
						case 0:
							g.flush()
						case 1:
							n := g.Stats().Leases
							leases.lose(worker.ErrFenced)
							for g.Stats().Leases == n {
								runtime.Gosched()
							}
						case 2:
							offset.Add(int64(time.Duration(r.IntN(7)-3) * time.Millisecond))
						default:
							g.AfterRestore()
						}
						for range i % 20 {
							runtime.Gosched()
						}
					}
				})
				own, named := hammered(t, g, 4, underRace(1000, 300), &over)
				wg.Wait()
				require.NoError(t, g.Close())
				assert.GreaterOrEqual(t, g.Stats().Taken, int64(len(own)+len(named)))
				distinct(t, own)
				distinct(t, named)
			})
		}
	}
}
