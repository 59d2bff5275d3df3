package uid

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unfenced are the settings of whoever has a worker id that is not fenced, and
// takes no risk.
func unfenced() Config {
	c := testConfig()
	c.AllowRepeats = false
	return c
}

// unfencedAssigners are the assigners whose worker id is the same at each start. Ordinal's
// is Static's too, of the machine's name.
func unfencedAssigners(t *testing.T) map[string]worker.Assigner {
	t.Setenv("RINGUID_WORKER", "3")
	return map[string]worker.Assigner{
		"Static":  worker.Static(3),
		"FromEnv": worker.FromEnv("RINGUID_WORKER"),
		"a store's, with AllowUnfenced": assigner(func() worker.Lease {
			return unfencedLease{&testLease{id: 3, lo: 0, hi: math.MaxInt64}}
		}),
	}
}

// unfencedLease is a lease of a store that cannot keep its promise.
type unfencedLease struct{ *testLease }

func (unfencedLease) Class() worker.Class { return worker.Unfenced }

// distinct requires that no id comes twice.
func distinct(t *testing.T, ids []ID) {
	t.Helper()
	seen := map[ID]bool{}
	for _, id := range ids {
		if seen[id] {
			require.Fail(t, "an id twice", "%d", id)
		}
		seen[id] = true
	}
}

// Ten starts under one worker id, a tenth of a second apart, of processes that end
// without a word: ten times one id, and no two are equal.
func TestAWorkerIdThatStartsAgainRepeatsNoId(t *testing.T) {
	for name, a := range unfencedAssigners(t) {
		for kind, open := range constructors {
			for _, closes := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/%s/closed %v", name, kind, closes), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						var ids []ID
						var last time.Time
						for range 10 {
							g, err := open(t.Context(), a, unfenced())
							require.NoError(t, err)
							started := time.Now()
							ids = append(ids, take(t, g, 1+len(ids)%20)...)
							p, err := g.ParseUID(ids[len(ids)-1])
							require.NoError(t, err)
							assert.True(t, p.Time.After(started), "of a tick after the start")
							assert.False(t, p.Time.After(time.Now()), "nothing is borrowed")
							assert.True(t, p.Time.After(last))
							last = p.Time
							if closes {
								require.NoError(t, g.Close())
							} else {
								defer g.Close()
							}
							time.Sleep(100 * time.Millisecond)
						}
						distinct(t, ids)
					})
				})
			}
		}
	}
}

// With a real clock and millisecond ticks, as fast as generators can be opened.
func TestClosedAndOpenedAgainAndAgain(t *testing.T) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			c := system(t, "snowflake")
			c.AllowRepeats = false
			var ids []ID
			for range 200 {
				g, err := open(t.Context(), worker.Static(3), c)
				require.NoError(t, err)
				ids = append(ids, take(t, g, 20)...)
				require.NoError(t, g.Close())
			}
			distinct(t, ids)
		})
	}
}

// restarts names, in its environment, the generator of a process that prints ids
// and dies.
const restarts = "RINGUID_TEST_RESTARTS"

// printAndDie is such a process.
func printAndDie(kind string) {
	c := unfenced()
	c.Layout.Unit, c.Layout.TimeBits, c.Layout.WorkerBits = 50*time.Millisecond, 50, 8
	g, err := constructors[kind](context.Background(), worker.Static(3), c)
	for range 40 {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		var id ID
		if id, err = g.GetUID(); err == nil {
			fmt.Println(id)
		}
	}
	os.Exit(0) // without a Close
}

func TestAProcessThatDiesAndStartsAgainRepeatsNoId(t *testing.T) {
	for kind := range constructors {
		t.Run(kind, func(t *testing.T) {
			var ids []ID
			for range 5 {
				child := exec.CommandContext(t.Context(), os.Args[0])
				child.Env = append(os.Environ(), restarts+"="+kind)
				out, err := child.CombinedOutput()
				require.NoError(t, err, "%s", out)
				for text := range strings.FieldsSeq(string(out)) {
					id, err := ParseID(text)
					require.NoError(t, err, "%s", out)
					ids = append(ids, id)
				}
			}
			assert.Len(t, ids, 5*40)
			distinct(t, ids)
		})
	}
}

// However fast ids are taken, and whatever a policy would borrow, they are of
// ticks that have begun.
func TestAnUnfencedWorkerIdBorrowsNothing(t *testing.T) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := unfenced()
				c.TickFull = policy.BorrowAhead(100)
				g, err := open(t.Context(), worker.Static(3), c)
				require.NoError(t, err)
				defer g.Close()
				for i := range 100 {
					id := take(t, g, 1)[0]
					require.Equal(t, []int64{int64(1 + i/16)}, seconds(t, []ID{id}))
					require.Equal(t, time.Duration(1+i/16)*time.Second, time.Since(bubbleStart),
						"the tick has just begun")
				}
			})
		})
	}
}

// A clock that is set back is waited for: else the ids would be ahead of it, and a
// later start, which goes by it, would repeat them.
func TestACachedUnfencedWorkerIdWaitsForAClockThatWasSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		back := time.Duration(0)
		c := unfenced()
		log := logTo(&c)
		c.Now = func() time.Time { return time.Now().Add(-back) }
		g, err := NewCached(t.Context(), worker.Static(3), c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 16)
		synctest.Wait()
		back = time.Minute
		_, err = g.GetUID()
		require.ErrorIs(t, err, ErrRingEmpty)
		why := "0s, as this worker id may not borrow; the clock was set back by about 1m0s: " +
			"the next tick may be minted at 2000-01-01T00:00:02Z"
		assert.ErrorContains(t, err, why)
		id, err := g.GetUIDContext(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []int64{2}, seconds(t, []ID{id}))
		assert.Equal(t, 62*time.Second, time.Since(bubbleStart))
		synctest.Wait()
		assert.Equal(t, 1, strings.Count(log.String(), "minting paused"), log)
		assert.Equal(t, 1, strings.Count(log.String(), why), log)
		assert.Equal(t, 1, strings.Count(log.String(), "minting resumed"), log)
	})
}

func TestAnUnfencedWorkerIdIsRefusedWhereTicksAreLong(t *testing.T) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			c := unfenced()
			c.Layout.Unit = 5*time.Second + time.Millisecond
			l := unfencedLease{granted(0, math.MaxInt32)}
			_, err := open(t.Context(), assigner(func() worker.Lease { return l }), c)
			require.ErrorIs(t, err, ErrConfig)
			assert.ErrorContains(t, err, "AllowRepeats")
			assert.ErrorContains(t, err, "worker.Leased")
			assert.Len(t, l.released, 1)

			risky, five := c, c
			risky.AllowRepeats = true
			five.Layout.Unit = 5 * time.Second
			for name, ok := range map[string]struct {
				l worker.Lease
				c Config
			}{
				"fenced":       {l.testLease, c},
				"with a risk":  {l, risky},
				"five seconds": {l, five},
			} {
				g, err := open(t.Context(), assigner(func() worker.Lease { return ok.l }), ok.c)
				require.NoError(t, err, name)
				require.NoError(t, g.Close())
			}
		})
	}
}
