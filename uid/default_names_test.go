package uid

import (
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// Each name has all ids of a tick, and they are those of the other names.
func TestIDsOfDifferentNamesMayBeEqualByDesign(t *testing.T) {
	assert.LessOrEqual(t, int(unsafe.Sizeof(sequence{})+unsafe.Sizeof(term{})), 800,
		"as GetUIDFor says")
	defaultInBubble(t, worker.Static(3), testConfig(), func(t *testing.T, g *DefaultGenerator) {
		buffer := []byte("b")
		ids, err := g.AppendUIDs(nil, 16)
		require.NoError(t, err)
		for i, own := range ids {
			idA, err := g.GetUIDFor(t.Context(), "") // is a name, too
			require.NoError(t, err)
			name := "b"
			if i == 0 {
				name = unsafe.String(&buffer[0], 1)
			}
			idB, err := g.GetUIDFor(t.Context(), name)
			require.NoError(t, err)
			assert.Equal(t, []ID{own, own}, []ID{idA, idB})
			buffer[0] = 'c' // it is used again
		}
		assert.Zero(t, time.Since(bubbleStart))
		assert.EqualValues(t, 48, g.Stats().Taken)
	})
}

// The lease may be replaced between the moment at which a new name's sequence begins and the one
// at which it can be found: no notice reaches it.
func TestANewNameDoesNotUseAWorkerIdThatWasGivenBack(t *testing.T) {
	first, second := granted(0, 1000), granted(0, 1000)
	second.id = 8
	defaultInBubble(t, &succession{leases: []*testLease{first, second}}, testConfig(),
		func(t *testing.T, g *DefaultGenerator) {
			s := new(sequence).begin(&g.source)
			first.lose(worker.ErrDeleted)
			synctest.Wait()
			g.named.Store("a", s)
			for range 2 {
				id, err := g.GetUIDFor(t.Context(), "a")
				require.NoError(t, err)
				p, err := g.ParseUID(id)
				require.NoError(t, err)
				assert.EqualValues(t, 8, p.Worker)
			}
		})
}

// The next worker id may be a lower one: a name's ids grow all the same, as all
// sequences pass over the rest of the tick.
func TestALeaseSwapReachesEveryName(t *testing.T) {
	first, second := granted(0, 1000), granted(0, 1000)
	first.id, second.id = 9, 2
	c := testConfig()
	c.TickFull = policy.BorrowAhead(10)
	defaultInBubble(t, &succession{leases: []*testLease{first, second}}, c,
		func(t *testing.T, g *DefaultGenerator) {
			ids := map[string][]ID{}
			get := func(name string, n int) {
				for range n {
					id, err := g.GetUIDFor(t.Context(), name)
					require.NoError(t, err)
					ids[name] = append(ids[name], id)
				}
			}
			get("a", 1)
			get("b", 16*3+1) // three seconds ahead
			take(t, g, 16*5+1)
			first.lose(worker.ErrFenced)
			synctest.Wait()
			assert.EqualValues(t, 2, g.Stats().WorkerID)
			assert.Equal(t, []int64{bubbleStart.Unix() + 5}, first.released,
				"the highest tick of all names, and of none")
			get("a", 1)
			get("b", 1)
			for name, list := range ids {
				assert.IsIncreasing(t, list, name)
			}
			assert.Equal(t, []int64{0, 1}, seconds(t, ids["a"]))
			require.NoError(t, g.Close())
			assert.Equal(t, []int64{bubbleStart.Unix() + 5}, second.released)
		})
}
