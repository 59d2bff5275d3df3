package uid

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/decision"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryPresetIsAValidLayout(t *testing.T) {
	require.Equal(t, []string{
		"baidu", "default", "js-safe", "leaf", "raindrop-d", "raindrop-h", "raindrop-min", "raindrop-ms", "raindrop-s",
		"snowflake", "snowflake-4-10", "sonyflake", "yitter", "yitter-go",
	}, Presets())
	require.IsIncreasing(t, Presets())
	for _, name := range Presets() {
		c, err := Preset(name)
		require.NoError(t, err, name)
		assert.NoError(t, c.withDefaults().validate(), name)
	}
}

func TestPresetsHaveTheLayoutsOfTheirSystems(t *testing.T) {
	vectors := readVectors(t)
	for preset, vector := range map[string]string{
		"baidu":          "baidu",
		"js-safe":        "js-safe-ms-41-6-6",
		"leaf":           "leaf",
		"raindrop-ms":    "raindrop-1ms-41-4-0",
		"snowflake":      "twitter",
		"snowflake-4-10": "snowflake-4-10",
		"yitter":         "yitter-6-6",
		"yitter-go":      "yitter-6-6-go-epoch",
	} {
		assert.Equal(t, vectors[vector].layout(), mustPreset(t, preset).Layout, preset)
	}
	for preset, text := range map[string]string{
		"default":      DefaultLayout.String(),
		"raindrop-d":   "17|4|1|41|0 24h since 2023-01-01T00:00:00Z",
		"raindrop-h":   "21|4|1|37|0 1h since 2023-01-01T00:00:00Z",
		"raindrop-min": "27|4|1|31|0 1m since 2023-01-01T00:00:00Z",
		"raindrop-s":   "33|4|1|25|0 1s since 2023-01-01T00:00:00Z",
		"sonyflake":    "39|16|8 10ms since 2014-09-01T00:00:00Z",
	} {
		assert.Equal(t, text, mustPreset(t, preset).Layout.String(), preset)
	}
}

func TestPresetLayoutsEndWhenTheirDocsSay(t *testing.T) {
	asPublished(t)
	for name, end := range map[string]string{
		"baidu":          "2024-11-20T13:24:16Z",
		"default":        "2034-07-04T21:24:16Z",
		"js-safe":        "2095-09-07T15:47:35.552Z",
		"snowflake":      "2080-07-10T17:30:30.209Z",
		"leaf":           "2080-07-10T17:30:30.209Z",
		"snowflake-4-10": "2082-11-01T16:43:17.38Z",
	} {
		assert.Equal(t, end, mustPreset(t, name).Layout.End().Format(time.RFC3339Nano), name)
	}
}

// What the policies of each preset say, and from which number ticks count.
func TestPresetsHaveThePoliciesOfTheirSystems(t *testing.T) {
	ms := time.Millisecond
	refuse := policy.BackDecision{}
	for name, want := range map[string]struct {
		back               policy.BackDecision
		full, fullBorrowed policy.FullDecision // the first tick, and after 1999 borrowed ones
		min, random        int64
	}{
		"baidu":          {refuse, decision.WaitNext, decision.WaitNext, 0, 0},
		"default":        {refuse, decision.WaitNext, decision.WaitNext, 0, 0},
		"js-safe":        {refuse, decision.WaitNext, decision.WaitNext, 0, 0},
		"leaf":           {policy.BackDecision{Action: decision.Sleep, Sleep: 10 * ms}, decision.WaitNext, decision.WaitNext, 0, 100},
		"raindrop-d":     {policy.BackDecision{Action: decision.Turn}, decision.FailNow, decision.FailNow, 0, 0},
		"raindrop-h":     {policy.BackDecision{Action: decision.Turn}, decision.FailNow, decision.FailNow, 0, 0},
		"raindrop-min":   {policy.BackDecision{Action: decision.Turn}, decision.FailNow, decision.FailNow, 0, 0},
		"raindrop-ms":    {policy.BackDecision{Action: decision.Turn}, decision.WaitNext, decision.WaitNext, 0, 0},
		"raindrop-s":     {policy.BackDecision{Action: decision.Turn}, decision.WaitNext, decision.WaitNext, 0, 0},
		"snowflake":      {refuse, decision.WaitNext, decision.WaitNext, 0, 0},
		"snowflake-4-10": {refuse, decision.WaitNext, decision.WaitNext, 0, 0},
		"sonyflake":      {policy.BackDecision{Action: decision.GoOn}, decision.WaitNext, decision.WaitNext, 0, 0},
		"yitter":         {policy.BackDecision{Action: decision.Reserved, First: 1, Last: 4}, decision.Borrow, decision.BorrowOne, 5, 0},
		"yitter-go":      {policy.BackDecision{Action: decision.Reserved, First: 1, Last: 4}, decision.Borrow, decision.BorrowOne, 5, 0},
	} {
		c := mustPreset(t, name).withDefaults()
		assert.Equal(t, want.back, c.ClockBack(policy.Back{By: 5 * ms}), name)
		assert.Equal(t, want.full, c.TickFull(policy.Full{}), name)
		assert.Equal(t, want.fullBorrowed, c.TickFull(policy.Full{Borrowed: 1999}), name)
		assert.Equal(t, []int64{want.min, want.random, c.Layout.maxSeq()}, []int64{c.MinSeq, c.RandomSeq, c.MaxSeq}, name)
	}
	leaf := mustPreset(t, "leaf").ClockBack
	assert.Equal(t, refuse, leaf(policy.Back{By: 6 * ms}))
	assert.Equal(t, refuse, leaf(policy.Back{By: 5 * ms, Waited: 10 * ms}))
}

// vectorConfigs are the settings that make the vectors of each system.
func vectorConfigs(t *testing.T) map[string]Config {
	configs := map[string]Config{}
	for name, v := range readVectors(t) {
		var c Config
		var err error
		l := v.layout()
		switch {
		case strings.HasPrefix(name, "raindrop"):
			c, err = Raindrop(RaindropOptions{
				Unit: l.Unit, TimeBits: l.TimeBits, WorkerBits: l.WorkerBits, TailBits: l.TailBits, Tail: l.Tail,
				Turn: v.Cases[0].Turn,
			})
		case strings.HasPrefix(name, "yitter"):
			c, err = Yitter(YitterOptions{BaseTime: l.Epoch, WorkerBits: l.WorkerBits, SeqBits: l.SeqBits})
		case name == "leaf":
			c = mustPreset(t, "leaf")
			c.RandomSeq = 0 // the vectors have their sequence by chance
		default:
			c = Config{Layout: l}
		}
		require.NoError(t, err, name)
		require.Equal(t, l, c.Layout, name)
		configs[name] = c
	}
	return configs
}

// Both generators, with the clock at the time of each vector, give its id where it
// is the first of its tick, and the ones after it.
func TestGeneratorsMakeTheIDsOfTheOriginals(t *testing.T) {
	vectors, made := readVectors(t), map[string]int{}
	for name, c := range vectorConfigs(t) {
		for _, v := range vectors[name].Cases {
			if v.Seq != c.MinSeq || v.Tick == c.Layout.maxTick() {
				continue // not a first one; or there is no tick to go on in
			}
			c.Now = func() time.Time { return time.UnixMilli(v.TimeUnixMs) }
			c.Logger, c.AllowRepeats = testConfig().Logger, true
			for kind, open := range constructors {
				g, err := open(t.Context(), worker.Static(v.Worker), c)
				require.NoError(t, err, "%s %s", name, kind)
				ids := take(t, g, 2)
				require.NoError(t, g.Close())
				assert.Equal(t, []ID{v.ID, v.ID + 1<<c.Layout.TailBits}, ids, "%s %s", name, kind)
			}
			made[name]++
		}
	}
	for _, name := range []string{"baidu", "twitter", "snowflake-4-10", "yitter-6-6", "yitter-6-6-go-epoch", "yitter-10-12", "raindrop-1000ms-33-10-5", "raindrop-86400000ms-17-4-1"} {
		assert.Positive(t, made[name], name)
	}
}

func TestEveryPresetRunsInBothGenerators(t *testing.T) {
	for _, name := range Presets() {
		for kind, open := range constructors {
			t.Run(name+"/"+kind, func(t *testing.T) {
				c := mustPreset(t, name)
				c.Logger, c.AllowRepeats = testConfig().Logger, true
				g, err := open(t.Context(), worker.Static(1), c)
				if name == "baidu" {
					require.ErrorIs(t, err, ErrTimeOver)
					require.ErrorContains(t, err, "2024-11-20")
					return
				}
				require.NoError(t, err)
				defer g.Close()
				ids := take(t, g, 1000)
				assert.IsIncreasing(t, ids)
				p, err := g.ParseUID(ids[999])
				require.NoError(t, err)
				assert.EqualValues(t, 1, p.Worker)
				assert.GreaterOrEqual(t, p.Seq, c.MinSeq)
			})
		}
	}
}

func TestJSSafeIDsAreExactInJavaScript(t *testing.T) {
	c, err := Preset("js-safe")
	require.NoError(t, err)
	last, err := c.Layout.MaxID(c.Layout.End().Add(-1))
	require.NoError(t, err)
	const maxSafeInteger = 1<<53 - 1
	assert.Equal(t, ID(maxSafeInteger), last)
	assert.Equal(t, last, ID(math.Nextafter(float64(last), 0)+1), "the float before it is one less")
}

func TestAnUnknownPresetIsAnErrorThatListsTheNames(t *testing.T) {
	for _, name := range []string{"", "Baidu", "twitter2"} {
		_, err := Preset(name)
		require.ErrorIs(t, err, ErrConfig)
		for _, known := range Presets() {
			assert.ErrorContains(t, err, known)
		}
	}
}
