package uid

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// unfenced are the settings of whoever has a worker id that is not fenced, and
// takes no risk.
func unfenced() settings {
	c := testConfig()
	c.AllowRepeats = false
	return c
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
	c := unfenced()
	c.TickFull = policy.BorrowAhead(100) // which it may not
	for kind, open := range constructors {
		for i := range 3 {
			closes, own := i > 0, i > 1
			t.Run(fmt.Sprintf("%s/closed %v/own %v", kind, closes, own), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var ids []ID
					var last time.Time
					for range 10 {
						a := worker.Static(3)
						if own { // a lease that grants no ticks below 0
							l := unfencedLease{granted(-bubbleStart.Unix(), math.MaxInt32)}
							a = &answers{leases: []worker.Lease{l}}
						}
						g, err := open(t.Context(), a, c)
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

func TestAnUnfencedWorkerIdIsRefusedWhereTicksAreLong(t *testing.T) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			c := unfenced()
			c.Layout.Unit = 5*time.Second + time.Millisecond
			l := unfencedLease{&testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}}
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
				c settings
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
