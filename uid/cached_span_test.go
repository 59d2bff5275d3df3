package uid

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// A hundred streams, or as many as use up half of the ticks at most, take an id each now and
// then: theirs and others' tell the truth about time, and nobody waits.
func TestManySlowStreamsTellTheTruthAboutTime(t *testing.T) {
	for name, layout := range lagLayouts {
		if layout.Unit > 5*time.Second {
			continue // a worker id that is not fenced is refused
		}
		capacity := float64(layout.maxSeq()+1) / layout.Unit.Seconds()
		for _, unfenced := range []bool{false, true} {
			for _, every := range []time.Duration{100 * time.Millisecond, time.Second, 3 * time.Second} {
				n := int(min(100, capacity*every.Seconds()/2))
				t.Run(fmt.Sprintf("%s/%d, every %v, unfenced %v", name, n, every, unfenced),
					func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) {
							c := testConfig()
							c.Layout, c.AllowRepeats, c.RejectTake = layout, !unfenced, policy.Fail
							g, err := newCached(t.Context(), worker.Static(3), c)
							require.NoError(t, err)
							defer g.Close()
							time.Sleep(layout.Unit + time.Second)
							slowStreams(t, g, n, every)
						})
					})
			}
		}
	}
}

func slowStreams(t *testing.T, g *CachedGenerator, n int, every time.Duration) {
	takers := []taker{g}
	for range n {
		takers = append(takers, g.Stream())
	}
	for range 5 {
		for i, s := range takers {
			synctest.Wait()
			id, err := s.GetUID()
			require.NoError(t, err, "taker %d", i)
			p, err := g.ParseUID(id)
			require.NoError(t, err)
			age := time.Since(p.Time)
			require.GreaterOrEqual(t, age, time.Duration(0), "taker %d has an id of the future", i)
			require.LessOrEqual(t, age, g.conf.Layout.Unit+g.conf.MaxLag, "taker %d has an old id", i)
			time.Sleep(every / time.Duration(len(takers)))
		}
	}
}

// A goroutine with a span of ids loses fewer than it hands out, at whatever rate it takes them.
func TestHeldSpansGrowWhileTheyAreUsedUp(t *testing.T) {
	for takes, want := range map[int]int64{1: 1, 2: 3, 3: 3, 4: 7, 7: 7, 8: 15, 255: 255,
		256: 255 + 256, 1000: 255 + 3*256} {
		t.Run(fmt.Sprint(takes), func(t *testing.T) {
			c := testConfig()
			c.Layout, c.MaxLag = lagLayouts["seconds"], time.Second
			inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
				s := g.Stream()
				fill(g)
				for round := range int64(5) {
					takeAll(t, s, takes)
					got := g.Stats().Taken
					if round == 0 {
						assert.Equal(t, want, got)
					}
					assert.Less(t, got, 2*(round+1)*int64(takes))
					time.Sleep(5 * time.Second) // then what is left of the last one is stale
					synctest.Wait()
				}
			})
		})
	}
	assert.Equal(t, 256, (&mint{ringShape: ringShape{ids: math.MaxInt64}}).nextSize(256, true))
	assert.Equal(t, 10, (&mint{ringShape: ringShape{ids: 10}}).nextSize(8, true), "a tick's")
}
