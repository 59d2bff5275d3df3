package preset

import (
	"cmp"
	"math"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/policyresult"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		"snowflake":      "twitter",
		"snowflake-4-10": "snowflake-4-10",
		"sonyflake":      "sonyflake",
		"sonyflake-v2":   "sonyflake-v2",
		"tsid":           "tsid",
		"yitter":         "yitter-6-6",
		"yitter-go":      "yitter-6-6-go-epoch",
	} {
		assert.Equal(t, vectors[vector].layout(), mustNamed(t, preset).Layout, preset)
	}
	for preset, text := range map[string]string{
		"default":      uid.DefaultLayout.String(),
		"raindrop-d":   "17|4|1|41|0 24h since 2023-01-01T00:00:00Z",
		"raindrop-h":   "21|4|1|37|0 1h since 2023-01-01T00:00:00Z",
		"raindrop-min": "27|4|1|31|0 1m since 2023-01-01T00:00:00Z",
		"raindrop-s":   "33|4|1|25|0 1s since 2023-01-01T00:00:00Z",
	} {
		assert.Equal(t, text, mustNamed(t, preset).Layout.String(), preset)
	}
}

func TestPresetLayoutsEndWhenTheirDocsSay(t *testing.T) {
	asPublished(t)
	for name, end := range map[string]string{
		"baidu":          "2024-11-20T13:24:16Z",
		"default":        "2034-07-04T21:24:16Z",
		"discord":        "2084-09-06T15:47:35.552Z",
		"hazelcast":      "2087-09-07T15:47:35.552Z",
		"instagram":      "2046-06-27T17:00:49.497Z",
		"js-safe":        "2095-09-07T15:47:35.552Z",
		"seata":          "2090-01-07T07:47:35.552Z",
		"sonyflake":      "2188-11-16T03:28:58.88Z",
		"tsid":           "2089-09-06T15:47:35.552Z",
		"snowflake":      "2080-07-10T17:30:30.209Z",
		"leaf":           "2080-07-10T17:30:30.209Z",
		"snowflake-4-10": "2082-11-01T16:43:17.38Z",
	} {
		assert.Equal(t, end, mustNamed(t, name).Layout.End().Format(time.RFC3339Nano), name)
	}
}

// What the policies of each preset say, and from which number ticks count.
func TestPresetsHaveThePoliciesOfTheirSystems(t *testing.T) {
	type policies struct {
		back               policy.BackDecision
		full, fullBorrowed policy.FullDecision // the first tick, and after 1999 borrowed ones
		min, random        int64
	}
	ms := time.Millisecond
	refuse := policy.BackDecision{}
	classic := policies{refuse, policyresult.WaitNext, policyresult.WaitNext, 0, 0}
	goOn := policies{policy.BackDecision{Action: policyresult.GoOn}, policyresult.WaitNext,
		policyresult.WaitNext, 0, 0}
	goOnAhead := policies{goOn.back, policyresult.Borrow, policyresult.Borrow, 0, 0}
	leafs := policies{policy.BackDecision{Action: policyresult.Sleep, Sleep: 10 * ms},
		policyresult.WaitNext, policyresult.WaitNext, 0, 100}
	turn := policies{policy.BackDecision{Action: policyresult.Turn}, policyresult.WaitNext,
		policyresult.WaitNext, 0, 0}
	longTurn := policies{turn.back, policyresult.FailNow, policyresult.FailNow, 0, 0}
	drift := policies{policy.BackDecision{Action: policyresult.Reserved, First: 1, Last: 4},
		policyresult.Borrow, policyresult.BorrowOne, 5, 0}
	all := map[string]policies{
		"baidu": classic, "default": classic, "discord": classic, "hazelcast": goOnAhead,
		"instagram": classic, "js-safe": classic, "leaf": leafs, "raindrop-d": longTurn,
		"raindrop-h": longTurn, "raindrop-min": longTurn, "raindrop-ms": turn, "raindrop-s": turn,
		"snowflake": classic, "snowflake-4-10": classic, "seata": goOn, "sonyflake": goOn,
		"sonyflake-v2": goOn, "tsid": goOnAhead, "yitter": drift, "yitter-go": drift,
	}
	require.Len(t, all, len(Names()))
	for name, want := range all {
		c := mustNamed(t, name)
		if c.ClockBack == nil { // the defaults
			c.ClockBack, c.TickFull = policy.Refuse, policy.WaitNext
		}
		assert.Equal(t, want.back, c.ClockBack(policy.Back{By: 5 * ms}), name)
		assert.Equal(t, want.full, c.TickFull(policy.Full{}), name)
		assert.Equal(t, want.fullBorrowed, c.TickFull(policy.Full{Borrowed: 1999}), name)
		last := largest(c.Layout.SeqBits)
		assert.Equal(t, []int64{want.min, want.random, last},
			[]int64{c.MinSeq, c.RandomSeq, cmp.Or(c.MaxSeq, last)}, name)
	}
	leaf := mustNamed(t, "leaf").ClockBack
	assert.Equal(t, refuse, leaf(policy.Back{By: 6 * ms}))
	assert.Equal(t, refuse, leaf(policy.Back{By: 5 * ms, Waited: 10 * ms}))
	unbounded := mustNamed(t, "tsid").TickFull
	assert.Equal(t, policyresult.Borrow, unbounded(policy.Full{Borrowed: 1 << 41}), "a layout's time")
}

func TestJSSafeIDsAreExactInJavaScript(t *testing.T) {
	c, err := Named("js-safe")
	require.NoError(t, err)
	last, err := c.Layout.MaxID(c.Layout.End().Add(-1))
	require.NoError(t, err)
	const maxSafeInteger = 1<<53 - 1
	assert.Equal(t, uid.ID(maxSafeInteger), last)
	assert.Equal(t, last, uid.ID(math.Nextafter(float64(last), 0)+1),
		"the float before it is one less")
}

func TestAnUnknownPresetIsAnErrorThatListsTheNames(t *testing.T) {
	_, err := Named("Baidu")
	require.ErrorIs(t, err, uid.ErrConfig)
	for _, known := range Names() {
		assert.ErrorContains(t, err, known)
	}
}
