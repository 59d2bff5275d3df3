package uid

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpreadHasAnInverse(t *testing.T) {
	ids := []ID{0, 1, 2, math.MaxInt64, math.MaxInt64 - 1, 1 << 62, -1, math.MinInt64}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		ids = append(ids, ID(random.Int64()))
	}
	for _, id := range ids {
		spread := id.Spread()
		if id.Unspread() < 0 != (id < 0) || spread < 0 != (id < 0) || spread.Unspread() != id ||
			id.Unspread().Spread() != id {
			require.FailNow(t, "no inverse", "%d is spread to %d, and that back to %d", id, spread,
				spread.Unspread())
		}
	}
}

// A key's spread form must not change from one version to the next.
func TestSpreadIsWhatItWas(t *testing.T) {
	for id, want := range map[ID]ID{
		0: 0, 1: 2558316640067307269, 538815673191686144: 1938656953348744945,
	} {
		assert.Equal(t, want, id.Spread(), "of %d", id)
	}
}

// tableShards is how many ranges of equal size a table is split into.
const tableShards = 64

// Whatever the layout and the rate, no shard gets more than twice its part.
func TestSpreadKeysFillAllShards(t *testing.T) {
	layouts := map[string]Layout{"default": DefaultLayout(), "Snowflake": SnowflakeLayout(),
		"38/22/3 in ms": {Epoch: DefaultLayout().Epoch, Unit: time.Millisecond, TimeBits: 38,
			WorkerBits: 22, SeqBits: 3},
		"tail bits": {Epoch: DefaultLayout().Epoch, Unit: time.Second, TimeBits: 28, WorkerBits: 10,
			SeqBits: 13, TailBits: 8, Tail: 77}}
	for name, order := range map[string]Order{"worker last": TimeSequenceWorker,
		"worker first": WorkerTimeSequence} {
		l := SnowflakeLayout()
		l.Order = order
		layouts[name] = l
	}
	const ids = tableShards * 100
	for name, l := range layouts {
		for _, rate := range []int64{10, 200, 1_000_000} {
			spread := make([]int, tableShards)
			for _, id := range steady(t, l, rate, ids) {
				spread[id.Spread()>>57]++
			}
			most := 0
			for _, n := range spread {
				most = max(most, n)
			}
			assert.LessOrEqual(t, most, 2*ids/tableShards, "%s at %d ids a second", name, rate)
		}
	}
}

// steady are ids of one worker, made at a rate with the sequence that a tick has by then.
func steady(t *testing.T, l Layout, rate, n int64) (ids []ID) {
	var last, seq int64 = -1, 0
	for i := range n {
		tick := 1_000_000 + i*int64(time.Second)/rate/int64(l.Unit)
		if seq++; tick > last {
			last, seq = tick, 0
		}
		if seq > mask(l.SeqBits) { // the tick is full
			last, seq = last+1, 0
		}
		id, err := l.Compose(Parts{Tick: last, Worker: 5, Seq: seq})
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}
