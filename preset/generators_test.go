package preset

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestLayoutReproducesTheIDsOfOtherSystems(t *testing.T) {
	vectors := readVectors(t)
	require.GreaterOrEqual(t, len(vectors), 20)
	for name, v := range vectors {
		t.Run(name, func(t *testing.T) {
			l := v.layout()
			require.NotEmpty(t, v.Cases)
			for _, c := range v.Cases {
				want := uid.Parts{
					Time: time.UnixMilli(c.TimeUnixMs).UTC(),
					Tick: c.Tick, Worker: c.Worker, Turn: c.Turn, Seq: c.Seq,
				}
				id, err := l.Compose(want)
				require.NoError(t, err)
				assert.Equal(t, c.ID, id)
				parts, err := l.Parse(c.ID)
				require.NoError(t, err)
				assert.Equal(t, want, parts)
			}
		})
	}
}

// With the clock at the time of each vector, a generator gives its id where that is the first of
// its tick, and the one after it.
func TestGeneratorsMakeTheIDsOfTheOriginals(t *testing.T) {
	vectors, made := readVectors(t), map[string]int{}
	for name, c := range vectorConfigs(t) {
		for _, v := range vectors[name].Cases {
			if v.Seq != c.MinSeq || v.Tick == 1<<c.Layout.TimeBits-1 {
				continue // not a first one; or there is no tick to go on in
			}
			c.Now = func() time.Time { return time.UnixMilli(v.TimeUnixMs) }
			c.Logger, c.AllowRepeats = discard, true
			g, err := uid.NewDefault(t.Context(), worker.Static(v.Worker), c)
			require.NoError(t, err, name)
			ids := take(t, g, 2)
			require.NoError(t, g.Close())
			assert.Equal(t, []uid.ID{v.ID, v.ID + uid.ID(step(c.Layout))}, ids, name)
			made[name]++
		}
	}
	for _, name := range []string{"baidu", "twitter", "snowflake-4-10", "yitter-6-6",
		"yitter-6-6-go-epoch", "yitter-10-12", "raindrop-1000ms-33-10-5", "raindrop-86400000ms-17-4-1",
		"sonyflake", "sonyflake-v2", "hazelcast", "seata", "tsid", "discord", "instagram"} {
		assert.Positive(t, made[name], name)
	}
}

// step is the distance of two ids that follow each other.
func step(l uid.Layout) int64 {
	if l.Order == uid.TimeSequenceWorker {
		return 1 << (l.TailBits + l.WorkerBits)
	}
	return 1 << l.TailBits
}

// vectorConfigs are the settings that make the vectors of each system.
func vectorConfigs(t *testing.T) map[string]uid.DefaultConfig {
	configs := map[string]uid.DefaultConfig{}
	for name, v := range readVectors(t) {
		var c uid.DefaultConfig
		switch {
		case strings.HasPrefix(name, "raindrop"):
			c = mustNamed(t, "raindrop-s")
			c.Turn = v.Cases[0].Turn
		case strings.HasPrefix(name, "yitter"):
			c = mustNamed(t, "yitter")
		case name == "leaf":
			c = mustNamed(t, "leaf")
			c.RandomSeq = 0 // the vectors have their sequence by chance
		}
		c.Layout = v.layout()
		configs[name] = c
	}
	return configs
}
