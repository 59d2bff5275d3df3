package preset

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestYittersIDsAreExactInJavaScriptUntil2089(t *testing.T) {
	for name, end := range map[string]time.Time{
		"yitter-go": time.UnixMilli(yitterGoEpoch + 1<<41),
		"yitter":    time.UnixMilli(yitterCSharpEpoch + 1<<41),
	} {
		l := mustNamed(t, name).Layout
		require.Equal(t, "2089-10-2", end.UTC().Format(time.DateOnly)[:9])
		last, err := l.MaxID(end.Add(-1))
		require.NoError(t, err)
		assert.Equal(t, uid.ID(1<<53-1), last, name)
		over, err := l.MinID(end)
		require.NoError(t, err)
		assert.Equal(t, uid.ID(1<<53), over, name)
	}
}

func TestYittersOptions(t *testing.T) {
	c, err := Yitter{DatacenterBits: 3, WorkerBits: 8, SeqBits: 10, MinSeq: 7, MaxSeq: 900,
		TopOverCost: 3}.Config()
	require.NoError(t, err)
	assert.Equal(t, "42|11|10 1ms since 2020-02-20T02:20:02.02Z", c.Layout.String())
	assert.Equal(t, []int64{7, 900}, []int64{c.MinSeq, c.MaxSeq})
	assert.Equal(t, policy.BorrowAhead(3), c.TickFull)

	c, err = Yitter{Unit: time.Second, WorkerBits: 15, SeqBits: 16}.Config()
	require.NoError(t, err)
	assert.Equal(t, "32|15|16 1s since 2020-02-20T02:20:02.02Z", c.Layout.String())
	assert.Equal(t, policy.BorrowAhead(0), c.TickFull, "seconds do not drift")

	c, err = Yitter{Method: 2}.Config()
	require.NoError(t, err)
	assert.Equal(t, policy.Refuse, c.ClockBack)
	assert.Equal(t, policy.WaitNext, c.TickFull)
	assert.EqualValues(t, 5, c.MinSeq)
}

func TestYittersBadOptionsAreErrorsThatNameThem(t *testing.T) {
	for name, c := range map[string]struct {
		o    Yitter
		says string
	}{
		"method":         {Yitter{Method: 3}, "Method is 3: set it to 0 to 2"},
		"worker bits 16": {Yitter{WorkerBits: 16}, "WorkerBits is 16: set it to 1 to 15"},
		"seq bits 2":     {Yitter{SeqBits: 2}, "SeqBits is 2: set it to 3 to 21"},
		"sum 23": {Yitter{WorkerBits: 10, SeqBits: 13},
			"DatacenterBits + WorkerBits + SeqBits is 23: with ticks of 1ms and SeqBits 13 set it to 4"},
		"sum 32 in seconds": {Yitter{Unit: time.Second, WorkerBits: 15, SeqBits: 17},
			"SeqBits is 32: with ticks of 1s and SeqBits 17 set it to 4 to 31"},
		"min seq 4":     {Yitter{MinSeq: 4}, "MinSeq is 4: with ticks of 1ms and SeqBits 6 set it"},
		"max seq 64":    {Yitter{MaxSeq: 64}, "and SeqBits 6 set it to 5 to 63"},
		"max below min": {Yitter{MaxSeq: 3}, "MaxSeq is 3"},
		"top over cost": {Yitter{TopOverCost: 10_001},
			"TopOverCost is 10001: set it to -1 to 10000"},
		"drift in seconds": {Yitter{Unit: time.Second, TopOverCost: 1},
			"TopOverCost is 1: leave it 0"},
		"drift with method 2": {Yitter{Method: 2, TopOverCost: 1}, "TopOverCost is 1: leave it 0"},
		"unit":                {Yitter{Unit: time.Minute}, "Unit is 1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.o.Config()
			require.ErrorIs(t, err, uid.ErrConfig)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, got.Layout)
		})
	}
}
