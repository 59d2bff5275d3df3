package uid

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// jumpyClock moves when it is looked at: mostly not at all, sometimes to the next
// millisecond, now and then far forward or back.
type jumpyClock struct{ ms atomic.Int64 }

func (c *jumpyClock) Now() time.Time {
	switch n := rand.IntN(200); {
	case n < 6:
		c.ms.Add(1)
	case n == 6:
		c.ms.Add(-1 - rand.Int64N(12))
	case n == 7:
		c.ms.Add(rand.Int64N(15))
	}
	return time.UnixMilli(c.ms.Load())
}

// jumpyLayout has few ids in a tick and room for every policy.
var jumpyLayout = Layout{
	Epoch:    time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC),
	Unit:     time.Millisecond,
	TimeBits: 45, WorkerBits: 3, TurnBits: 1, SeqBits: 4, TailBits: 2, Tail: 3,
}

// Every two policies together, from eight goroutines with a clock that jumps:
// never an id twice, and where the policy keeps the order, each goroutine's ids
// grow.
func TestPoliciesAreUniqueUnderAJumpingClock(t *testing.T) {
	const goroutines = 8
	enough := underRace(4_000, 400)
	backs := map[string]policy.ClockBack{
		"refuse": policy.Refuse, "wait": policy.WaitUpTo(5 * time.Millisecond), "go on": policy.GoOn,
		"turn": policy.Turn, "reserved": policy.Reserved{First: 1, Last: 4},
	}
	fulls := map[string]policy.TickFull{
		"wait": policy.WaitNext, "fail": policy.FailNow, "borrow 0": policy.BorrowAhead(0),
		"borrow 9": policy.BorrowAhead(9),
	}
	for back, clockBack := range backs {
		for full, tickFull := range fulls {
			t.Run(back+", "+full, func(t *testing.T) {
				clock := new(jumpyClock)
				clock.ms.Store(bubbleStart.UnixMilli())
				c := settings{
					Layout: jumpyLayout, MinSeq: 5, RandomSeq: rand.Int64N(4),
					ClockBack: clockBack, TickFull: tickFull, Now: clock.Now, Logger: testConfig().Logger,
					AllowRepeats: true,
				}
				g, err := newDefault(t.Context(), worker.Static(1), c)
				require.NoError(t, err)
				defer g.Close()
				lists := takeWhatIsThere(g, goroutines, enough)
				if back != "turn" && back != "reserved" {
					for _, ids := range lists {
						assert.True(t, slices.IsSorted(ids), "a goroutine's ids do not grow")
					}
				}
				all := slices.Concat(lists...)
				n := len(all)
				assert.GreaterOrEqual(t, n, enough)
				slices.Sort(all)
				assert.Len(t, slices.Compact(all), n, "duplicates")
			})
		}
	}
}

// takeWhatIsThere takes from many goroutines, without waiting for an id where
// there is none now, until they have enough together, and returns each one's
// ids. How often they have to look is luck: the clock goes on by a few ticks in a
// hundred looks, in the mean.
func takeWhatIsThere(g *DefaultGenerator, goroutines, enough int) [][]ID {
	var taken atomic.Int64
	lists := make([][]ID, goroutines)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			for taken.Load() < int64(enough) {
				if id, err := g.GetUIDContext(over()); err == nil {
					lists[i] = append(lists[i], id)
					taken.Add(1)
				}
			}
		})
	}
	wg.Wait()
	return lists
}
