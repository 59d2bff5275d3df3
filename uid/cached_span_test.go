package uid

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

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
