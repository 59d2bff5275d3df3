package preset

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
)

func TestPresetsHaveTheLayoutsOfTheirSystems(t *testing.T) {
	vectors := readVectors(t)
	for preset, vector := range map[string]string{
		"baidu":          "baidu",
		"discord":        "discord",
		"hazelcast":      "hazelcast",
		"instagram":      "instagram",
		"js-safe":        "js-safe-ms-41-6-6",
		"leaf":           "leaf",
		"raindrop-ms":    "raindrop-1ms-41-4-0",
		"seata":          "seata",
		"snowflake-4-10": "snowflake-4-10",
		"sonyflake":      "sonyflake",
		"sonyflake-v2":   "sonyflake-v2",
		"tsid":           "tsid",
		"twitter":        "twitter",
		"yitter":         "yitter-6-6",
		"yitter-go":      "yitter-6-6-go-epoch",
	} {
		assert.Equal(t, vectors[vector].layout(), mustNamed(t, preset).Layout, preset)
	}
	for preset, text := range map[string]string{
		"default":         uid.DefaultLayout().String(),
		"SnowflakeLayout": uid.SnowflakeLayout().String(),
		"DefaultLayout":   uid.DefaultLayout().String(),
		"BaiduLayout":     uid.BaiduLayout().String(),
		"raindrop-d":      "17/4/1/41/0@24h since 2023-01-01",
		"raindrop-h":      "21/4/1/37/0@1h since 2023-01-01",
		"raindrop-min":    "27/4/1/31/0@1m since 2023-01-01",
		"raindrop-s":      "33/4/1/25/0@1s since 2023-01-01",
	} {
		assert.Equal(t, text, mustNamed(t, preset).Layout.String(), preset)
	}
}

// What the policies of each preset say, and from which number ticks count.
func TestPresetsHaveThePoliciesOfTheirSystems(t *testing.T) {
	type policies struct {
		back        policy.ClockBack
		full        policy.TickFull
		min, random int64
	}
	classic := policies{nil, nil, 0, 0}
	goOn := policies{policy.GoOn, policy.WaitNext, 0, 0}
	hazelcast := policies{policy.GoOn, policy.BorrowAhead(15_000), 0, 0}
	leaf := policies{policy.WaitUpTo(5 * time.Millisecond), nil, 0, 100}
	tsid := policies{policy.GoOn, policy.BorrowAhead(math.MaxInt64), 0, 0}
	turn := policies{policy.Turn, policy.WaitNext, 0, 0}
	longTurn := policies{policy.Turn, policy.FailNow, 0, 0}
	drift := policies{policy.Reserved{First: 1, Last: 4}, policy.BorrowAhead(2000), 5, 0}
	all := map[string]policies{
		"baidu": classic, "default": classic, "discord": classic, "hazelcast": hazelcast,
		"instagram": classic, "js-safe": classic, "leaf": leaf, "raindrop-d": longTurn,
		"raindrop-h": longTurn, "raindrop-min": longTurn, "raindrop-ms": turn, "raindrop-s": turn,
		"twitter": classic, "snowflake-4-10": classic, "SnowflakeLayout": classic,
		"seata": goOn, "sonyflake": goOn,
		"sonyflake-v2": goOn, "tsid": tsid, "yitter": drift, "yitter-go": drift,
	}
	require.Len(t, all, len(Names()))
	for name, want := range all {
		c := mustNamed(t, name)
		assert.Equal(t, want, policies{c.ClockBack, c.TickFull, c.MinSeq, c.RandomSeq}, name)
	}
}

func TestAnUnknownPresetIsAnErrorThatListsTheNames(t *testing.T) {
	_, err := Named("Baidu")
	require.ErrorIs(t, err, uid.ErrConfig)
	for _, known := range Names() {
		assert.ErrorContains(t, err, known)
	}
}

// Two layouts have Snowflake's bits, and epochs that are 15 years apart.
func TestSnowflakeIsTheNameOfNoPreset(t *testing.T) {
	for _, name := range []string{"snowflake", "Snowflake"} {
		_, err := Layout(name)
		require.ErrorIs(t, err, uid.ErrConfig)
		assert.ErrorContains(t, err, "could be twitter, ")
		assert.ErrorContains(t, err, "or SnowflakeLayout, ")
	}
	assert.NotEqual(t, mustNamed(t, "twitter").Layout, mustNamed(t, "SnowflakeLayout").Layout)
}
