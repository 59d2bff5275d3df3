package uid

import (
	"fmt"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// With ticks of an hour, one name that used up its hour kept 7 of 2000 others from
// their first id until the next.
func TestABusyNameTakesNothingFromOthers(t *testing.T) {
	c := testConfig()
	c.Layout = Layout{Epoch: bubbleStart, Unit: time.Hour, TimeBits: 45, WorkerBits: 4, TurnBits: 1,
		SeqBits: 8, TailBits: 5}
	c.TickFull = policy.FailNow
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		tick := int(g.c.tickIDs())
		for range tick {
			_, err := g.Keyed("busy").GetUID()
			require.NoError(t, err)
		}
		_, err := g.Keyed("busy").GetUID()
		require.ErrorIs(t, err, ErrTickFull)
		for name := range underRace(2000, 200) {
			for n := range tick {
				if _, err := g.Keyed(fmt.Sprint(name)).GetUID(); err != nil {
					require.NoError(t, err, "name %d, id %d", name, n)
				}
			}
		}
		assert.Zero(t, time.Since(bubbleStart))
	})
}

func TestANameThatManyGoroutinesAskForHasOneSequence(t *testing.T) {
	defaultInBubble(t, worker.Static(3), testConfig(), func(t *testing.T, g *DefaultGenerator) {
		var found [8][100]*sequence
		var wg sync.WaitGroup
		for each := range found {
			wg.Go(func() {
				for i := range found[each] {
					found[each][i] = g.Keyed(fmt.Sprint(i)).s
				}
			})
		}
		wg.Wait()
		for each := range found {
			assert.Equal(t, found[0], found[each])
		}
		buffer := []byte("in a buffer")
		s := g.Keyed(unsafe.String(&buffer[0], len(buffer))).s
		buffer[0]++
		assert.Same(t, s, g.Keyed("in a buffer").s)
	})
}

func TestANameTakesFewBytesAndThenNone(t *testing.T) {
	assert.LessOrEqual(t, int(unsafe.Sizeof(sequence{})+unsafe.Sizeof(term{})), 700, "as Keyed says")
	c := testConfig()
	c.Layout.WorkerBits, c.Layout.SeqBits = 1, 31 // no tick is full
	g, err := NewDefault(t.Context(), worker.Static(1), c)
	require.NoError(t, err)
	defer g.Close()
	assert.Zero(t, testing.AllocsPerRun(10_000, func() {
		if _, err := g.Keyed("orders").GetUID(); err != nil {
			t.Fatal(err)
		}
	}))
}
