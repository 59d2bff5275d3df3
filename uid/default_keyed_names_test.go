package uid

import (
	"fmt"
	"hash/maphash"
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

// Names beyond Config.KeyedNames share sequences: gaps, and no id of a name twice.
func TestNamesWithoutRoomShareAndHaveNoEqualIDs(t *testing.T) {
	c := testConfig()
	c.KeyedNames = 10
	c.Layout.SeqBits, c.Layout.WorkerBits = 20, 12
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		const names = 1000
		sequences, met := map[*sequence]int{}, map[*sequence]map[ID]bool{}
		for round := range 3 {
			for i := range names {
				name := fmt.Sprint(i)
				s := g.Keyed(name).s
				if sequences[s]++; met[s] == nil {
					met[s] = map[ID]bool{}
				}
				id, err := g.Keyed(name).GetUID()
				require.NoError(t, err)
				require.False(t, met[s][id], "%d", id)
				met[s][id] = true
				require.Same(t, s, g.Keyed(name).s, "a name's sequence never changes, round %d", round)
			}
		}
		alone := 0
		for _, n := range sequences {
			if n == 3 {
				alone++
			}
		}
		assert.GreaterOrEqual(t, alone, 10, "the first names have one of their own")
		assert.LessOrEqual(t, len(sequences), 10+sharedSequences)
		for i := range 10 {
			assert.Equal(t, 3, sequences[g.Keyed(fmt.Sprint(i)).s], "name %d has its own", i)
		}
	})
}

// Many goroutines ask for new names at once: each name has one sequence, and no
// more have their own than may.
func TestNewNamesFromManyGoroutinesHaveOneSequenceEach(t *testing.T) {
	c := testConfig()
	c.KeyedNames = 50
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
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
		own := 0
		g.names().own.Range(func(any, any) bool { own++; return true })
		assert.Equal(t, 50, own)
		assert.Zero(t, g.names().room.Load())
	})
}

// Who does not find a name, and then finds no room, may have missed that another
// call gave the last room to this very name: two sequences of one name, and ids twice.
func TestTheLastRoomMayBeTheNamesOwn(t *testing.T) {
	c := testConfig()
	c.KeyedNames = 1
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		own := g.Keyed("name").s // another call, between the first look and the second
		assert.Same(t, own, g.names().missed(maphash.String(g.names().seed, "name")))
		other := g.Keyed("other").s
		assert.NotSame(t, own, other, "no room")
		assert.Same(t, other, g.Keyed("other").s)
	})
}

func TestAnyNumberOfNamesTakesBoundedMemory(t *testing.T) {
	assert.LessOrEqual(t, int(unsafe.Sizeof(names{})), 100<<10)
	assert.LessOrEqual(t, int(unsafe.Sizeof(sequence{})+unsafe.Sizeof(term{})), 650,
		"as Config.KeyedNames says")
	c := testConfig()
	c.Layout.WorkerBits, c.Layout.SeqBits = 1, 31 // no tick is full
	c.KeyedNames = 100
	g, err := NewDefault(t.Context(), worker.Static(1), c)
	require.NoError(t, err)
	defer g.Close()
	name := make([]byte, 4)
	take := func() {
		name[0]++
		if name[0] == 0 {
			name[1]++
		}
		if _, err := g.Keyed(unsafe.String(&name[0], len(name))).GetUID(); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		take()
	}
	assert.Zero(t, testing.AllocsPerRun(10_000, take), "all that may have their own do")
}
