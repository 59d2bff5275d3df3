package preset

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// afterSteps runs a default generator whose clock is set back before a take and
// once more while that waits.
func afterSteps(t *testing.T, c uid.DefaultConfig, first, wait, second time.Duration,
	takes int) (waited time.Duration, err error) {
	synctest.Test(t, func(t *testing.T) {
		clock := clockAt(c.Layout, 1000)
		c.Now = clock.Now
		g, err2 := uid.NewDefault(t.Context(), worker.Static(3), c)
		require.NoError(t, err2)
		defer g.Close()
		take(t, g, takes)
		clock.step(first)
		time.AfterFunc(wait, func() { clock.step(second) })
		start := time.Now()
		_, err = g.GetUIDContext(t.Context())
		waited = time.Since(start)
	})
	return waited, err
}

// A second step back during the wait for the first: what the clock is behind then is refused
// if it is too much.
func TestWaitUpToLooksAgain(t *testing.T) {
	for second, waits := range map[time.Duration]time.Duration{0: 5 * ms, -3 * ms: 8 * ms} {
		waited, err := afterSteps(t, quiet(t, "leaf"), -5*ms, 3*ms, second, 1)
		assert.NoError(t, err)
		assert.Equal(t, waits, waited)
	}
	waited, err := afterSteps(t, quiet(t, "leaf"), -5*ms, 3*ms, -9*ms, 1)
	assert.ErrorIs(t, err, uid.ErrClockBack)
	assert.Equal(t, 5*ms, waited)
}

// Leaf's shards, which saw even ids alone before: every remainder comes up when
// ids are taken one a tick.
func TestRandomFirstNumbersAreEvenAndOdd(t *testing.T) {
	script := make([]scriptLine, 2000)
	for i := range script {
		script[i] = scriptLine{pass: ms, takes: 1}
	}
	var of [100]int
	for _, k := range at(t, "leaf", 1, 1000).ours(t, script, false) {
		seq := int64(k.id) & (1<<12 - 1)
		require.Less(t, seq, int64(100))
		of[seq]++
	}
	for seq, n := range of {
		assert.Positive(t, n, "never %d among 2000", seq) // but once in five million runs
	}
}

// Whatever the clock does, a start whose clock shows no less than the one before had got
// to repeats no id of it.
func TestReservedNumbersAreNotRepeatedByTheNextStart(t *testing.T) {
	reserved := 0
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			over, end := context.WithCancel(t.Context())
			end()
			r := rand.New(rand.NewPCG(seed, 0))
			c := quiet(t, "yitter")
			c.AllowRepeats = false
			clock := clockAt(c.Layout, 100_000)
			c.Now = clock.Now
			open := func() *uid.DefaultGenerator {
				g, err := uid.NewDefault(t.Context(), worker.Static(3), c)
				require.NoError(t, err)
				return g
			}
			g := open()
			defer func() { g.Close() }()
			var ids []uid.ID
			var highest int64 // tick of all starts
			for range 2000 {
				switch r.IntN(10) {
				case 0:
					clock.step(-time.Duration(r.IntN(30)) * ms)
				case 1:
					clock.step(time.Duration(r.IntN(40)) * ms)
				case 2:
					if clock.tick() >= highest {
						require.NoError(t, g.Close())
						g = open()
					}
				default:
					if id, err := g.GetUIDContext(over); err == nil {
						p, err := g.ParseUID(id)
						require.NoError(t, err)
						require.LessOrEqual(t, p.Tick, clock.tick())
						ids, highest = append(ids, id), max(highest, p.Tick)
						if p.Seq < c.MinSeq {
							reserved++
						}
					}
				}
			}
			distinct(t, ids)
		})
	}
	assert.Greater(t, reserved, 1000)
}

// PR 153: Leaf, as Twitter's and Baidu's, spins on when the clock goes back while
// it waits for the next tick, for hours or without end. Here that is a clock set
// back like any other.
func TestAStepBackDuringAWaitIsSeen(t *testing.T) {
	c := narrow(quiet(t, "leaf"), 7)
	c.RandomSeq = 0
	waited, err := afterSteps(t, c, 0, ms/2, -time.Hour, 128)
	assert.ErrorIs(t, err, uid.ErrClockBack)
	assert.Equal(t, ms, waited)

	waited, err = afterSteps(t, narrow(quiet(t, "twitter"), 4), 0, ms/2, -time.Hour, 16)
	assert.ErrorIs(t, err, uid.ErrClockBack)
	assert.Equal(t, ms, waited)
}
