package uid

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// anHourIn is a scenario of testLayout, whose ticks have 16 ids.
func anHourIn(change func(*settings)) scenario {
	c := testConfig()
	change(&c)
	return scenario{c, 3, 3600}
}

// small is what an id of testLayout and worker 3 is.
func small(tick, seq int64) ID { return ID(tick<<26 | 3<<4 | seq) }

// The clock of a machine is often set right just after the start, to before the lease.
func TestGoOnGoesOnWhereTheClockIsBeforeTheLease(t *testing.T) {
	first := testLayout.unixTick(testLayout.Epoch) + 3600
	for name, c := range map[string]struct {
		a      worker.Assigner
		starts int64         // the first tick that may be minted
		waited time.Duration // once that is full
	}{
		"fenced":     {&testLease{id: 3, lo: first, hi: first + 100}, 3600, 0},
		"not fenced": {worker.Static(3), 3601, 60 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			s := anHourIn(func(c *settings) {
				c.ClockBack, c.TickFull, c.AllowRepeats = policy.GoOn, policy.BorrowAhead(5), false
			})
			ours := s.run(t, []scriptLine{{takes: 1}, {step: -time.Minute + time.Second, takes: 16}}, 0,
				func(t *testing.T, clock *scriptClock) (func() (ID, error), func()) {
					s.config.Now = clock.Now
					g, err := newDefault(t.Context(), c.a, s.config)
					require.NoError(t, err)
					return func() (ID, error) { return g.GetUIDContext(t.Context()) }, func() { g.Close() }
				})
			for i, k := range ours[1:16] {
				require.Equal(t, small(c.starts, int64(i)+1), k.id)
				require.Zero(t, k.waited)
			}
			assert.Equal(t, small(c.starts+1, 0), ours[16].id, "the tick is full")
			assert.Equal(t, c.waited, ours[16].waited)
		})
	}
}

// A step back may lead to a tick that is full with the other value of the turn
// bit, and the policy is asked about it as about any.
func TestATurnToAFullTick(t *testing.T) {
	id := func(tick, turn, seq int64) ID { return ID(tick<<5 | turn<<4 | seq) }
	for name, c := range map[string]struct {
		full policy.TickFull
		want any
	}{
		"fails":         {policy.FailNow, ErrTickFull},
		"waits":         {policy.WaitNext, id(1101, 1, 1)},
		"has no future": {policy.BorrowAhead(5), id(1101, 1, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig()
			config.Layout.WorkerBits, config.Layout.TurnBits = 0, 1
			config.ClockBack, config.TickFull = policy.Turn, c.full
			ours := plain(scenario{config, 0, 1100}.ours(t, []scriptLine{
				{takes: 16}, {step: -time.Second, takes: 1}, {step: 2 * time.Second, takes: 1},
				{step: -time.Second, takes: 1},
			}))
			assert.Equal(t, []any{id(1100, 0, 15), id(1099, 1, 0), id(1101, 1, 0), c.want}, ours[15:])
		})
	}
}

// A worker id that is not fenced makes no ids ahead of the clock, which is no reason to make none
// in the tick that it shows.
func TestATurnOfAWorkerIdThatIsNotFenced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := unfenced()
		c.Layout.TurnBits, c.ClockBack = 1, policy.Turn
		clock := clockOf(c.Layout)
		clock.set(clock.start(1000))
		c.Now = clock.Now
		g, err := newDefault(t.Context(), worker.Static(3), c)
		require.NoError(t, err)
		defer g.Close()
		clock.step(9 * time.Second)
		take(t, g, 1)
		clock.step(-3 * time.Second)
		id, err := g.GetUIDContext(over())
		require.NoError(t, err)
		p, err := g.ParseUID(id)
		require.NoError(t, err)
		assert.Equal(t, []int64{1006, 1}, []int64{p.Tick, p.Turn})
	})
}

func TestTheLastTickThatIsBorrowedGivesOneID(t *testing.T) {
	for _, ahead := range []policy.BorrowAhead{-1, 0, 1} {
		c := testConfig()
		c.TickFull = ahead
		defaultInBubble(t, granted(0, 60), c, func(t *testing.T, g *DefaultGenerator) {
			ids, err := g.AppendUIDs(nil, 18)
			require.NoError(t, err)
			assert.Equal(t, []int64{0, 1, 2}, slices.Compact(seconds(t, ids)), ahead)
			assert.Equal(t, 2*time.Second, time.Since(bubbleStart), ahead)
		})
	}
}

// A drift is over with a turn: a second step back, to the tick before the one that the drift
// ended in, is one that the policy is asked about.
func TestATurnEndsADrift(t *testing.T) {
	c := testConfig()
	c.Layout.WorkerBits, c.Layout.TurnBits = 0, 1
	c.ClockBack, c.TickFull = policy.Turn, policy.BorrowAhead(5)
	id := func(tick, turn, seq int64) ID { return ID(tick<<5 | turn<<4 | seq) }
	ours := plain(scenario{c, 0, 1100}.ours(t, []scriptLine{
		{takes: 17}, // the last one is borrowed
		{step: 3 * time.Second, takes: 1},
		{step: -2 * time.Second, takes: 1}, // to the tick that was borrowed
		{step: -time.Second, takes: 2},
	}))
	assert.Equal(t, []any{id(1101, 0, 0), id(1103, 0, 0), id(1101, 1, 0), ErrClockBack, ErrClockBack},
		ours[16:])
}

// afterSteps runs a default generator whose clock is set back before a take and
// once more while that waits.
func afterSteps(t *testing.T, c settings, first, wait, second time.Duration,
	takes int) (waited time.Duration, err error) {
	synctest.Test(t, func(t *testing.T) {
		clock := clockOf(c.Layout)
		clock.set(clock.start(1000))
		c.Now = clock.Now
		g, err2 := newDefault(t.Context(), worker.Static(3), c)
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
		waited, err := afterSteps(t, system(t, "leaf"), -5*ms, 3*ms, second, 1)
		assert.NoError(t, err)
		assert.Equal(t, waits, waited)
	}
	waited, err := afterSteps(t, system(t, "leaf"), -5*ms, 3*ms, -9*ms, 1)
	assert.ErrorIs(t, err, ErrClockBack)
	assert.Equal(t, 5*ms, waited)
}

// PR 153: Leaf, as Twitter's and Baidu's, spins on when the clock goes back while
// it waits for the next tick, for hours or without end. Here that is a clock set
// back like any other.
func TestAStepBackDuringAWaitIsSeen(t *testing.T) {
	c := narrow(system(t, "leaf"), 7)
	c.RandomSeq = 0
	waited, err := afterSteps(t, c, 0, ms/2, -time.Hour, 128)
	assert.ErrorIs(t, err, ErrClockBack)
	assert.Equal(t, ms, waited)

	waited, err = afterSteps(t, narrow(system(t, "twitter"), 4), 0, ms/2, -time.Hour, 16)
	assert.ErrorIs(t, err, ErrClockBack)
	assert.Equal(t, ms, waited)
}

// Leaf's shards, which saw even ids alone before: every remainder comes up when
// ids are taken one a tick.
func TestRandomFirstNumbersAreEvenAndOdd(t *testing.T) {
	script := make([]scriptLine, 2000)
	for i := range script {
		script[i] = scriptLine{pass: ms, takes: 1}
	}
	var of [100]int
	for _, k := range at(t, "leaf", 1, 1000).ours(t, script) {
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
			r := rand.New(rand.NewPCG(seed, 0))
			c := system(t, "yitter")
			c.AllowRepeats = false
			clock := clockOf(c.Layout)
			clock.set(clock.start(100_000))
			c.Now = clock.Now
			open := func() *DefaultGenerator {
				g, err := newDefault(t.Context(), worker.Static(3), c)
				require.NoError(t, err)
				return g
			}
			g := open()
			defer func() { g.Close() }()
			var ids []ID
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
					if id, err := g.GetUIDContext(over()); err == nil {
						p, err := g.ParseUID(id)
						require.NoError(t, err)
						require.LessOrEqual(t, p.Tick, clock.tick())
						ids, highest = append(ids, id), max(highest, p.Tick)
						if p.Seq < g.conf.MinSeq {
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

// The smallest and the largest that a setting may be.
func TestSettingsAtTheirBounds(t *testing.T) {
	for what, change := range map[string]func(*settings){
		"RandomSeq": func(c *settings) { c.RandomSeq = 16 },
		"reserved from 0 on": func(c *settings) {
			c.ClockBack, c.MinSeq = policy.Reserved{Last: 3}, 4
		},
		"one number is reserved": func(c *settings) { c.ClockBack, c.MinSeq = policy.Reserved{}, 1 },
		"a tick of one id":       func(c *settings) { c.MinSeq = 15 },
	} {
		config := testConfig()
		change(&config)
		require.NoError(t, config.withDefaults().validate(), what)
	}
	for _, c := range []settings{{PaddingFactor: 1}, {PaddingFactor: 99},
		{ScheduleInterval: leastInterval}} {
		c.Layout = testLayout
		require.NoError(t, c.withDefaults().validate(), "%+v", c)
	}
	c := testConfig()
	c.OnLeaseLost = policy.GiveUp + 1
	require.ErrorIs(t, c.withDefaults().validate(), ErrConfig)
}

func TestPoliciesThatTheLayoutCannotCarryOut(t *testing.T) {
	reserves := func(first, last, minSeq int64) func(*settings) {
		return func(c *settings) {
			c.ClockBack, c.MinSeq = policy.Reserved{First: first, Last: last}, minSeq
		}
	}
	for says, change := range map[string]func(*settings){
		"set TurnBits to 1": func(c *settings) { c.ClockBack = policy.Turn },
		"Turn is 1":         func(c *settings) { c.Turn = 1 },
		"Turn is 2":         func(c *settings) { c.Turn, c.Layout.TurnBits = 2, 1 },
		"ClockBack is 3":    func(c *settings) { c.ClockBack = policy.Turn + 1 },
		"ClockBack is a struct": func(c *settings) {
			c.ClockBack = struct{ policy.BackAction }{} // a policy of its own
		},
		"TickFull is 2": func(c *settings) { c.TickFull = policy.FullAction(2) },
		"TickFull is {0}": func(c *settings) {
			c.TickFull = struct{ policy.FullAction }{}
		},
		"reserve numbers from 0 on":       reserves(1, 4, 0),
		"1 to 4, and MinSeq is 4":         reserves(1, 4, 4),
		"-1 to 4":                         reserves(-1, 4, 5),
		"4 to 1":                          reserves(4, 1, 5),
		"MinSeq is -1":                    func(c *settings) { c.MinSeq = -1 },
		"MinSeq is 16: set it to 0 to 15": func(c *settings) { c.MinSeq = 16 },
		"RandomSeq is 17: set it to 0 to the 16 ids of a tick": func(c *settings) { c.RandomSeq = 17 },
		"RandomSeq is -1": func(c *settings) { c.RandomSeq = -1 },
	} {
		config := testConfig()
		change(&config)
		g, err := newDefault(t.Context(), worker.Static(1), config)
		require.ErrorIs(t, err, ErrConfig, says)
		assert.ErrorContains(t, err, says)
		assert.Nil(t, g)
	}
}
