package uid

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/decision"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestYittersIDsAreExactInJavaScriptUntil2089(t *testing.T) {
	for name, end := range map[string]time.Time{
		"yitter-go": time.UnixMilli(yitterGoEpoch + 1<<41),
		"yitter":    time.UnixMilli(yitterCSharpEpoch + 1<<41),
	} {
		l := mustPreset(t, name).Layout
		require.Equal(t, "2089-10-2", end.UTC().Format(time.DateOnly)[:9])
		last, err := l.MaxID(end.Add(-1))
		require.NoError(t, err)
		assert.Equal(t, ID(1<<53-1), last, name)
		over, err := l.MinID(end)
		require.NoError(t, err)
		assert.Equal(t, ID(1<<53), over, name)
	}
}

// Yitter's defaults give 118001 ids before the first wait, one in the last of
// the 2000 borrowed ticks; without borrowing, 60.
func TestYittersDrift(t *testing.T) {
	for top, want := range map[int64]int{0: 118_001, -1: 60} {
		c, err := Yitter(YitterOptions{TopOverCost: top})
		require.NoError(t, err)
		now := time.UnixMilli(1767225600000)
		c.Now, c.Logger, c.AllowRepeats = func() time.Time { return now }, testConfig().Logger, true
		g, err := NewDefault(t.Context(), worker.Static(1), c)
		require.NoError(t, err)
		for range want {
			_, _, b := g.try(&g.seq, 1, 0)
			require.Nil(t, b)
		}
		_, _, b := g.try(&g.seq, 1, 0)
		require.NotNil(t, b)
		assert.ErrorIs(t, b.err, ErrTickFull)
		require.NoError(t, g.Close())
	}
}

func TestYittersOptions(t *testing.T) {
	c, err := Yitter(YitterOptions{DatacenterBits: 3, WorkerBits: 8, SeqBits: 10, MinSeq: 7, MaxSeq: 900, TopOverCost: 3})
	require.NoError(t, err)
	assert.Equal(t, "42|11|10 1ms since 2020-02-20T02:20:02.02Z", c.Layout.String())
	assert.Equal(t, []int64{7, 900}, []int64{c.MinSeq, c.MaxSeq})
	assert.Equal(t, decision.Borrow, c.TickFull(policy.Full{Borrowed: 1}))
	assert.Equal(t, decision.BorrowOne, c.TickFull(policy.Full{Borrowed: 2}))
	assert.Equal(t, decision.WaitNext, c.TickFull(policy.Full{Borrowed: 3}))

	c, err = Yitter(YitterOptions{Unit: time.Second, WorkerBits: 15, SeqBits: 16})
	require.NoError(t, err)
	assert.Equal(t, "32|15|16 1s since 2020-02-20T02:20:02.02Z", c.Layout.String())
	assert.Equal(t, decision.WaitNext, c.TickFull(policy.Full{Borrowed: 1}), "seconds do not drift")

	c, err = Yitter(YitterOptions{Method: 2})
	require.NoError(t, err)
	assert.Equal(t, decision.Refuse, c.ClockBack(policy.Back{By: 1}).Action)
	assert.Equal(t, decision.WaitNext, c.TickFull(policy.Full{}))
	assert.EqualValues(t, 5, c.MinSeq)
}

func TestYittersBadOptionsAreErrorsThatNameThem(t *testing.T) {
	for name, c := range map[string]struct {
		o    YitterOptions
		says string
	}{
		"method":              {YitterOptions{Method: 3}, "Method is 3: set it to 0 to 2"},
		"worker bits 16":      {YitterOptions{WorkerBits: 16}, "WorkerBits is 16: set it to 1 to 15"},
		"worker bits -1":      {YitterOptions{WorkerBits: -1}, "WorkerBits is -1: set it to 1 to 15"},
		"seq bits 2":          {YitterOptions{SeqBits: 2}, "SeqBits is 2: set it to 3 to 21"},
		"seq bits 22":         {YitterOptions{SeqBits: 22}, "SeqBits is 22: set it to 3 to 21"},
		"datacenter bits":     {YitterOptions{DatacenterBits: -1}, "DatacenterBits is -1"},
		"sum 23":              {YitterOptions{WorkerBits: 10, SeqBits: 13}, "DatacenterBits 0 + WorkerBits 10 + SeqBits 13 are 23: set them to 22 or less"},
		"sum with datacenter": {YitterOptions{DatacenterBits: 11}, "are 23: set them to 22"},
		"sum 32 in seconds":   {YitterOptions{Unit: time.Second, WorkerBits: 15, SeqBits: 17}, "are 32: set them to 31 or less"},
		"min seq 4":           {YitterOptions{MinSeq: 4}, "MinSeq is 4: with SeqBits 6 set it to 5 to 63"},
		"min seq 64":          {YitterOptions{MinSeq: 64}, "MinSeq is 64"},
		"min seq negative":    {YitterOptions{MinSeq: -1}, "MinSeq is -1"},
		"max seq 64":          {YitterOptions{MaxSeq: 64}, "MaxSeq is 64: with SeqBits 6 set it to MinSeq, 5, to 63"},
		"max below min":       {YitterOptions{MaxSeq: 3}, "MaxSeq is 3"},
		"top over cost":       {YitterOptions{TopOverCost: 10_001}, "TopOverCost is 10001: set it to -1 to 10000"},
		"top over cost -2":    {YitterOptions{TopOverCost: -2}, "TopOverCost is -2"},
		"drift in seconds":    {YitterOptions{Unit: time.Second, TopOverCost: 1}, "TopOverCost is 1: leave it 0"},
		"drift with method 2": {YitterOptions{Method: 2, TopOverCost: 1}, "TopOverCost is 1: leave it 0"},
		"unit":                {YitterOptions{Unit: time.Minute}, "Unit is 1m0s"},
		"base time":           {YitterOptions{BaseTime: time.UnixMilli(yitterFirstTime - 1)}, "BaseTime is 1989-12-31T15:59:59.999Z: set it to 1989-12-31T16:00:00Z or later"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Yitter(c.o)
			require.ErrorIs(t, err, ErrConfig)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, got.Layout)
		})
	}
}

func TestRaindropsBadOptionsAreErrorsThatNameThem(t *testing.T) {
	for name, c := range map[string]struct {
		o    RaindropOptions
		says string
	}{
		"unit":             {RaindropOptions{Unit: 2 * time.Second}, "Unit is 2s"},
		"negative unit":    {RaindropOptions{Unit: -1}, "Unit is -1ns"},
		"ms 40":            {RaindropOptions{Unit: time.Millisecond, TimeBits: 40}, "TimeBits is 40: with ticks of 1ms set it to 41 to 55"},
		"ms 56":            {RaindropOptions{Unit: time.Millisecond, TimeBits: 56}, "41 to 55"},
		"s 30":             {RaindropOptions{TimeBits: 30}, "TimeBits is 30: with ticks of 1s set it to 31 to 55"},
		"min 24":           {RaindropOptions{Unit: time.Minute, TimeBits: 24}, "with ticks of 1m set it to 25 to 50"},
		"h 46":             {RaindropOptions{Unit: time.Hour, TimeBits: 46}, "with ticks of 1h set it to 19 to 45"},
		"d 14":             {RaindropOptions{Unit: 24 * time.Hour, TimeBits: 14}, "with ticks of 24h set it to 15 to 40"},
		"worker bits 2":    {RaindropOptions{WorkerBits: 2}, "WorkerBits is 2"},
		"worker bits 11":   {RaindropOptions{WorkerBits: 11}, "WorkerBits is 11: with ticks of 1s set it to 3 to 10"},
		"turn":             {RaindropOptions{Turn: 2}, "Turn is 2"},
		"end bits 6":       {RaindropOptions{TailBits: 6}, "TailBits is 6: with ticks of 1s set it to 0 to 5"},
		"end value":        {RaindropOptions{TailBits: 2, Tail: 4}, "Tail is 4: with ticks of 1s set it to 0 to 3"},
		"end value -1":     {RaindropOptions{TailBits: 2, Tail: -1}, "Tail is -1"},
		"end without bits": {RaindropOptions{Tail: 1}, "Tail is 1: with ticks of 1s set it to 0 to 0"},
		"no sequence":      {RaindropOptions{TimeBits: 55, WorkerBits: 7}, "TimeBits 55 + WorkerBits 7 + TailBits 0 leave no bit for the sequence: set them to 61 or less"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Raindrop(c.o)
			require.ErrorIs(t, err, ErrConfig)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, got.Layout)
		})
	}
	c, err := Raindrop(RaindropOptions{TimeBits: 55, WorkerBits: 6})
	require.NoError(t, err)
	assert.Equal(t, 1, c.Layout.SeqBits, "one bit is enough")
	_, err = Raindrop(RaindropOptions{Start: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)})
	assert.ErrorIs(t, err, ErrLayout)
}

// Eight ids of 3 sequence bits, then the error at once: a minute is not waited for.
func TestRaindropsMinuteIsFullAfterItsIDs(t *testing.T) {
	c, err := Raindrop(RaindropOptions{Unit: time.Minute, TimeBits: 50, TailBits: 5})
	require.NoError(t, err)
	require.Equal(t, 3, c.Layout.SeqBits)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c.Now, c.Logger, c.AllowRepeats = func() time.Time { return now }, testConfig().Logger, true
	g, err := NewDefault(t.Context(), worker.Static(1), c)
	require.NoError(t, err)
	defer g.Close()
	take(t, g, 8)
	_, err = g.GetUIDContext(t.Context())
	assert.ErrorIs(t, err, ErrTickFull)
}

func TestAPresetWhoseEpochIsAheadIsRefused(t *testing.T) {
	ahead := time.Now().Add(time.Hour)
	y, err := Yitter(YitterOptions{BaseTime: ahead})
	require.NoError(t, err)
	r, err := Raindrop(RaindropOptions{Start: ahead})
	require.NoError(t, err)
	for _, c := range []Config{y, r} {
		_, err := NewDefault(t.Context(), worker.Static(1), c)
		assert.ErrorIs(t, err, ErrLayout)
		assert.ErrorContains(t, err, "ahead of now")
	}
}

// A policy is asked at the start what it does about a step of one tick; what it
// does about another is looked at when it comes to that.
func TestAPolicyThatAnswersWhatTheLayoutCannotDoGivesNoID(t *testing.T) {
	for name, answer := range map[string]policy.ClockBack{
		"turn without a bit": policy.Turn,
		"reserved from min":  policy.Reserved(0, 4),
	} {
		t.Run(name, func(t *testing.T) {
			c := testConfig()
			c.ClockBack = func(b policy.Back) policy.BackDecision {
				if b.By > time.Minute {
					return answer(b)
				}
				return policy.Refuse(b)
			}
			now := bubbleStart
			c.Now = func() time.Time { return now }
			g, err := NewDefault(t.Context(), worker.Static(1), c)
			require.NoError(t, err)
			defer g.Close()
			take(t, g, 1)
			now = now.Add(-time.Hour)
			_, err = g.GetUID()
			assert.ErrorIs(t, err, ErrConfig)
		})
	}
}

func TestMinIDAndMaxIDOfEveryPresetHoldATicksIDs(t *testing.T) {
	asPublished(t)
	at := time.Date(2026, 11, 20, 13, 14, 15, 167e6, time.UTC)
	for _, name := range Presets() {
		c := mustPreset(t, name)
		c.Now, c.Logger, c.AllowRepeats = func() time.Time { return at }, testConfig().Logger, true
		g, err := NewCached(t.Context(), worker.Static(c.Layout.MaxWorker()), c)
		if name == "baidu" {
			require.ErrorIs(t, err, ErrTimeOver)
			continue
		}
		require.NoError(t, err, name)
		lowest, err := c.Layout.MinID(at)
		require.NoError(t, err, name)
		highest, err := c.Layout.MaxID(at)
		require.NoError(t, err, name)
		ids := take(t, g, 10)
		require.NoError(t, g.Close())
		assert.LessOrEqual(t, lowest, ids[0], name)
		assert.LessOrEqual(t, ids[9], highest, name)
		for _, id := range []ID{lowest, highest} {
			p, err := c.Layout.Parse(id)
			require.NoError(t, err, name)
			start, _ := floorDiv(at.UnixMilli(), c.Layout.Unit.Milliseconds())
			assert.Equal(t, time.UnixMilli(start*c.Layout.Unit.Milliseconds()).UTC(), p.Time, name)
		}
		_, err = c.Layout.Parse(highest + 1<<c.Layout.TailBits)
		if err == nil {
			next, err := c.Layout.MinID(at.Add(c.Layout.Unit))
			require.NoError(t, err)
			assert.Equal(t, highest+1<<c.Layout.TailBits, next, name)
		}
	}
}
