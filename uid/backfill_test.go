package uid

import (
	"errors"
	"testing"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// backfilled returns all that Backfill has for the ticks of ten minutes before and
// after the bubble's start.
func backfilled(t *testing.T, c Config, workerID int64, n int) map[ID]bool {
	t.Helper()
	all := map[ID]bool{}
	for s := -600; s <= 600; s++ {
		at := bubbleStart.Add(time.Duration(s) * time.Second)
		ids, err := c.Backfill(at, workerID, n)
		require.NoError(t, err)
		require.IsIncreasing(t, ids)
		for _, id := range ids {
			p, err := c.Layout.Parse(id)
			require.NoError(t, err)
			require.Equal(t, at, p.Time)
			require.Equal(t, workerID, p.Worker)
			require.False(t, c.MinSeq <= p.Seq && p.Seq <= c.withDefaults().MaxSeq, "a tick gives out %d",
				p.Seq)
			all[id] = true
		}
		_, err = c.Backfill(at, workerID, n+1)
		require.ErrorIs(t, err, ErrRange, "that is all a tick has")
	}
	require.Len(t, all, n*1201)
	return all
}

func TestABackfillNeverEqualsWhatAGeneratorGivesOut(t *testing.T) {
	turning := testLayout
	turning.WorkerBits, turning.TurnBits = 21, 1
	for name, c := range map[string]struct {
		config Config
		kept   int // of a tick
	}{
		"yitter": {Config{Layout: testLayout, MinSeq: 5, ClockBack: policy.Reserved{First: 1, Last: 4},
			TickFull: policy.BorrowAhead(20)}, 1},
		"at the back": {Config{Layout: testLayout, MaxSeq: 10,
			ClockBack: policy.Reserved{First: 12, Last: 14}, TickFull: policy.BorrowAhead(20)}, 2},
		"at both ends": {Config{Layout: testLayout, MinSeq: 2, MaxSeq: 12,
			ClockBack: policy.Reserved{First: 0, Last: 1}, TickFull: policy.BorrowAhead(20)}, 3},
		"turn, both ends": {Config{Layout: turning, MinSeq: 1, MaxSeq: 13, ClockBack: policy.Turn}, 6},
		"go on": {Config{Layout: testLayout, MinSeq: 2, ClockBack: policy.GoOn,
			TickFull: policy.BorrowAhead(20)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			config := c.config
			config.Logger, config.AllowRepeats = testConfig().Logger, true
			kept := backfilled(t, config, 3, c.kept)

			var offset time.Duration
			clock := config
			clock.Now = func() time.Time { return time.Now().Add(offset) }
			backwards := 0
			defaultInBubble(t, worker.Static(3), clock, func(t *testing.T, g *DefaultGenerator) {
				for _, step := range []time.Duration{0, -10, 5, -20, -30, 40, -60, 90} {
					offset += step * time.Second
					for range 40 {
						id, err := g.GetUID()
						if err != nil {
							require.True(t, errors.Is(err, ErrClockBack) || errors.Is(err, ErrTickFull), "%v", err)
							break
						}
						require.False(t, kept[id], "%v", id)
						if step < 0 {
							backwards++
						}
					}
				}
			})
			assert.Greater(t, backwards, 20, "ids after a step back")

			inBubble(t, config, func(t *testing.T, g *CachedGenerator) {
				for _, id := range take(t, g, 2000) {
					require.False(t, kept[id], "%v", id)
				}
			})
		})
	}
}

func TestABackfillMayBeginWithZero(t *testing.T) {
	c := testConfig()
	c.MinSeq = 5
	ids, err := c.Backfill(c.Layout.Epoch, 0, 2)
	require.NoError(t, err)
	assert.Equal(t, []ID{0, 1}, ids)
}

func TestBackfillsThatCannotBeAreErrors(t *testing.T) {
	at := time.UnixMilli(1653955200000)
	for name, c := range map[string]struct {
		change func(*Config)
		at     time.Time
		worker int64
		n      int
		is     error
		says   string
	}{
		"too many": {nil, at, 1, 2, ErrRange,
			"a backfill of 2 ids: with MinSeq 5 and MaxSeq 63 a tick keeps 1"},
		"nothing is kept": {func(c *Config) { c.MinSeq, c.ClockBack = 0, nil }, at, 1, 1, ErrRange,
			"with MinSeq 0 and MaxSeq 63 a tick keeps 0"},
		"negative":         {nil, at, 1, -1, ErrRange, "-1 ids"},
		"worker too large": {nil, at, 64, 1, ErrRange, "worker is 64"},
		"before the epoch": {nil, time.UnixMilli(1582165202019), 1, 1, ErrRange,
			"before the layout's epoch"},
		"a bad setting": {func(c *Config) { c.MinSeq = 3 }, at, 1, 1, ErrConfig,
			"reserve numbers below or above those"},
		"a bad layout": {func(c *Config) { c.Layout.Unit = 1 }, at, 1, 1, ErrLayout, "Unit"},
	} {
		t.Run(name, func(t *testing.T) {
			config := mustPreset(t, "yitter")
			if c.change != nil {
				c.change(&config)
			}
			ids, err := config.Backfill(c.at, c.worker, c.n)
			require.ErrorIs(t, err, c.is)
			assert.ErrorContains(t, err, c.says)
			assert.Empty(t, ids)
		})
	}
}
