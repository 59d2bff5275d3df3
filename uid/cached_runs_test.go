package uid

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/ringbuffer"
	"github.com/ringuid/ringuid/worker"
)

// runLayout has ticks of 16 ids whose last one is a step below the next tick's first.
var runLayout = Layout{Epoch: testLayout.Epoch, Unit: time.Second, TimeBits: 31, WorkerBits: 10,
	SeqBits: 4, Order: TimeSequenceWorker}

// runConfig has spans of 64 of these ids, four ticks.
func runConfig() Config {
	c := testConfig()
	c.Layout, c.RingSize = runLayout, 1024
	return c
}

func TestWhichSpansGoOnInTheNextTick(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		ticks  int64
	}{
		"worker last":    {func(*Config) {}, 4},
		"worker first":   {func(c *Config) { c.Layout.Order = WorkerTimeSequence }, 4},
		"worker between": {func(c *Config) { c.Layout.Order = TimeWorkerSequence }, 1},
		"no worker between": {func(c *Config) {
			c.Layout.Order,
				c.Layout.WorkerBits = TimeWorkerSequence, 0
		}, 4},
		"a tail":               {func(c *Config) { c.Layout.TailBits, c.Layout.Tail = 3, 5 }, 4},
		"a turn bit between":   {func(c *Config) { c.Layout.TurnBits = 1 }, 1},
		"numbers left above":   {func(c *Config) { c.MaxSeq = 14 }, 1},
		"a tick can be denied": {func(c *Config) { c.RejectPut = policy.Keep }, 1},
		"a ring ahead":         {func(c *Config) { c.MaxAhead = 64 * time.Second }, 4},
		"less than a ring":     {func(c *Config) { c.MaxAhead = 64*time.Second - 1 }, 1},
		"one id in a tick":     {func(c *Config) { c.Layout.SeqBits = 0 }, 64},
		"more than a slot":     {func(c *Config) { c.Layout.SeqBits = 13 }, 1},
		"the smallest ring":    {func(c *Config) { c.RingSize = 1 }, 1},
		"the longest span":     {func(c *Config) { c.RingSize = 1 << 20 }, ringbuffer.MaxSpan / 16},
	} {
		t.Run(name, func(t *testing.T) {
			config := runConfig()
			c.change(&config)
			config = config.withDefaults()
			shape, err := config.ringShape(config.runsOn())
			require.NoError(t, err)
			assert.Equal(t, c.ticks, shape.row/config.tickIDs())
			if c.ticks > 1 {
				assert.Equal(t, shape.row, shape.perSlot)
			}
		})
	}
}

// A run is shorter where it meets a bound: MaxAhead, or what is granted.
func TestARunEndsAtABound(t *testing.T) {
	for name, c := range map[string]struct {
		ahead time.Duration
		hi    int64
	}{"MaxAhead": {65 * time.Second, math.MaxInt32}, "grant": {0, 65}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				config := runConfig()
				config.MaxAhead = c.ahead
				g, err := NewCached(t.Context(), granted(0, c.hi), config)
				require.NoError(t, err)
				defer g.Close()
				_, err = g.AppendUIDs(nil, 800)
				require.NoError(t, err)
				synctest.Wait()
				assert.Equal(t, bubbleStart.Unix()+65, g.lastMinted(), "64 fit the ring, in runs of 4")
			})
		})
	}
}

func TestTinyTicksHaveARingForASecond(t *testing.T) {
	for text, ids := range map[string]int64{
		"tsw:39/8/16@10ms": 32_768, // for 25,600 a second
		"tsw:45/8/10@1ms":  65_536, // of 256,000: a larger one is not faster
		"tsw:53/0/10@1ms":  1024,
		"tsw:31/4/10@1s":   128, // a second is less than eight ticks
		"tws:41/10/4@1ms":  128, // as they are not in a row
		"tsw:28/20/15@24h": 4 << 20,
		"tsw:20/13/30@60s": 65_536,
		"wts:10/41/12@1ms": 65_536,
	} {
		l := layoutOf(t, text, "2020-01-01T00:00:00Z")
		c := Config{Layout: l}.withDefaults()
		shape, err := c.ringShape(c.runsOn())
		require.NoError(t, err)
		assert.Equal(t, ids, shape.size(), text)
	}
}

func TestTheFirstFreshNumberOfASpan(t *testing.T) {
	const top = math.MaxInt64 &^ 7
	for _, c := range []struct{ next, last, stale, want int64 }{
		{8, 64, -1, 8}, {8, 64, 7, 8}, {8, 64, 8, 16}, {8, 64, 15, 16}, {8, 64, 16, 24}, {8, 64, 63, 64},
		{16, 64, 9, 16}, {0, 64, 7, 8}, {0, 64, -1, 0},
		{8, 64, 64, -1}, {8, 64, math.MaxInt64, -1}, {72, 64, 7, -1}, {0, -1, -1, -1}, {0, -1, 5, -1},
		{top - 8, top, top - 8, top}, {top, top, top, -1},
		{math.MinInt64, top, 5, -1}, // all have been handed out, up to the largest that there is
	} {
		got, ok := fresh(c.next, c.last, 8, c.stale)
		require.Equal(t, c.want >= 0, ok, "%+v", c)
		if ok {
			require.Equal(t, c.want, got, "%+v", c)
		}
	}
}

// With a worker id that is not fenced, or a small MaxAhead, a tick is minted when it begins:
// the ring keeps as many of them as it has room for, in whatever order the fields are.
func TestARingThatBorrowsNothingKeepsAsMuchInEveryOrder(t *testing.T) {
	for i, size := range []int64{0, 0, 256, 256, 4096, 4096} {
		var left []int64
		for _, o := range allOrders {
			synctest.Test(t, func(t *testing.T) {
				c := testConfig()
				c.Layout, c.RingSize, c.AllowRepeats = lagLayouts["milliseconds, in a row"], size, i%2 == 1
				c.Layout.Order, c.MaxAhead, c.MaxLag = o, time.Duration(i%2), time.Second
				g, err := NewCached(t.Context(), worker.Static(3), c)
				require.NoError(t, err)
				defer g.Close()
				time.Sleep(400 * time.Millisecond)
				synctest.Wait()
				left = append(left, g.Stats().Left)
			})
		}
		assert.Equal(t, []int64{left[0], left[0], left[0]}, left)
		assert.GreaterOrEqual(t, left[0], max(size, 128))
	}
}
