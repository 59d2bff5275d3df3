package uid

import (
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/worker"
)

var allOrders = []Order{TimeWorkerSequence, TimeSequenceWorker, WorkerTimeSequence}

func TestEveryOrderHasItsText(t *testing.T) {
	lasting := epoch.Default
	epoch.Default = epoch.Published
	defer func() { epoch.Default = lasting }()
	for text, want := range map[string]string{
		"28/22/13":              "28/22/13@1s since 2026-01-01",
		"28/22/13@10h":          "28/22/13@10h since 2026-01-01",
		"28/22/13@1h30m":        "28/22/13@1h30m since 2026-01-01",
		"28/22/13@1h0m30.01s":   "28/22/13@1h0m30.01s since 2026-01-01",
		"tws:28/22/13":          "28/22/13@1s since 2026-01-01",
		"wts:10/41/12@1ms":      "wts:10/41/12@1ms since 2026-01-01",
		"tsw:38/1/8/16/0@10ms":  "tsw:38/1/8/16/0@10ms since 2026-01-01",
		"wts:9/40/1/10/3=5@1ms": "wts:9/40/1/10/3=5@1ms since 2026-01-01",
		"tsw:1/0/62/0/0@24h":    "tsw:1/62/0@24h since 2026-01-01",
	} {
		l, err := ParseLayout(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, l.String())
	}
	assert.NotPanics(t, func() { _ = Layout{Order: orders}.String() })
	for text, says := range map[string]string{
		"stw:39/8/16": `"stw" is no order`, ":28/22/13": `"" is no order`,
		"tsw:39/8/16:": "is not a number of bits",
	} {
		_, err := ParseLayout(text)
		require.ErrorIs(t, err, ErrLayout, text)
		assert.ErrorContains(t, err, says, text)
	}
}

func TestTheWorkerFirstHasNoBoundsOfATime(t *testing.T) {
	l := layoutOf(t, "wts:10/41/12@1ms", "2026-01-01T00:00:00Z")
	for _, bound := range []func(time.Time) (ID, error){l.MinID, l.MaxID} {
		_, err := bound(l.Epoch.Add(time.Hour))
		require.ErrorIs(t, err, errors.ErrUnsupported)
		assert.ErrorContains(t, err, "make a range for each worker id with Compose")
		_, err = bound(l.Epoch.Add(-time.Hour))
		assert.ErrorIs(t, err, ErrRange, "what is wrong with the time comes first")
	}
	l = layoutOf(t, "wts:0/41/12@1ms", "2026-01-01T00:00:00Z")
	id, err := l.MinID(l.Epoch.Add(time.Second))
	require.NoError(t, err, "one worker")
	assert.EqualValues(t, 1000<<12, id)
}

// orderedLayout is testLayout, with a tail, in an order.
func orderedLayout(o Order) Layout {
	l := testLayout
	l.WorkerBits, l.TurnBits, l.TailBits, l.Tail, l.Order = 16, 1, 3, 5, o
	return l
}

// inEveryOrder runs a test for each order, with a turn bit and without any.
func inEveryOrder(t *testing.T, test func(t *testing.T, c settings)) {
	for _, o := range allOrders {
		for turn := range int64(2) {
			t.Run(o.letters(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := testConfig()
					c.Layout, c.RingSize = orderedLayout(o), 1024
					c.Layout.TurnBits = int(turn)
					test(t, c)
				})
			})
		}
	}
}

// requireInARow requires ids of a worker id that are all that there are of some ticks,
// one after the other.
func requireInARow(t *testing.T, c settings, id int64, ids []ID) {
	t.Helper()
	require.True(t, slices.IsSorted(ids))
	last := Parts{Tick: -1}
	for i, one := range ids {
		p, err := c.Layout.Parse(one)
		require.NoError(t, err)
		require.Equal(t, []int64{id, 0}, []int64{p.Worker, p.Turn})
		if i > 0 && p.Tick == last.Tick {
			require.Equal(t, last.Seq+1, p.Seq)
		} else if i > 0 {
			require.Equal(t, []int64{last.Tick + 1, c.Layout.maxSeq(), 0}, []int64{p.Tick, last.Seq, p.Seq})
		}
		last = p
	}
}

// GetUID and batches of cached generators: TestEveryWayToTakeKeepsWhatIsPromised of
// internal/properties.
func TestEveryWayToTakeIDsInEveryOrder(t *testing.T) {
	for name, ids := range map[string]func(t *testing.T, c settings) []ID{
		"stream": func(t *testing.T, c settings) []ID {
			return takeAll(t, cached(t, worker.Static(7), c).Stream(), 1000)
		},
		"default": func(t *testing.T, c settings) []ID {
			g, err := constructors["default"](t.Context(), worker.Static(7), c)
			require.NoError(t, err)
			defer g.Close()
			batch, err := g.AppendUIDs(take(t, g, 33), 100)
			require.NoError(t, err)
			return batch
		},
	} {
		t.Run(name, func(t *testing.T) {
			inEveryOrder(t, func(t *testing.T, c settings) {
				requireInARow(t, c, 7, ids(t, c))
			})
		})
	}
}

// A lower worker id after a lost one makes ids as well: with the worker first they are
// smaller, with any other order they go on growing.
func TestALowerWorkerIdTakesOverInEveryOrder(t *testing.T) {
	inEveryOrder(t, func(t *testing.T, c settings) {
		for _, open := range constructors {
			first := &testLease{id: 9, lo: math.MinInt64, hi: math.MaxInt64}
			second := &testLease{id: 2, lo: math.MinInt64, hi: math.MaxInt64}
			g, err := open(t.Context(), &succession{leases: []*testLease{first, second}}, c)
			require.NoError(t, err)
			ids := take(t, g, 5)
			var stream *Stream
			if c, ok := g.(*CachedGenerator); ok {
				stream = c.Stream()
				ids = append(ids, takeAll(t, stream, 3)...)
			}
			first.lose(worker.ErrFenced)
			synctest.Wait()
			if stream != nil {
				ids = append(ids, takeAll(t, stream, 100)...)
			}
			ids = append(ids, take(t, g, 100)...)
			batch, err := g.AppendUIDs(nil, 100)
			require.NoError(t, err)
			ids = append(ids, batch...)
			workers := map[int64]int{}
			for _, id := range ids {
				p, err := g.ParseUID(id)
				require.NoError(t, err)
				workers[p.Worker]++
			}
			assert.Len(t, workers, 2)
			assert.GreaterOrEqual(t, workers[2], 200)
			require.NoError(t, g.Close())
			if c.Layout.Order != WorkerTimeSequence && stream == nil {
				assert.True(t, slices.IsSorted(ids))
			}
			slices.Sort(ids)
			assert.Len(t, slices.Compact(slices.Clone(ids)), len(ids), "each once")
		}
	})
}
