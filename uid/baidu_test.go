package uid

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// Each known fault of Baidu's UidGenerator, by its number there, and that it is
// not one here. More of them are tested where they would occur: the take race
// (105, 26) and the pool of padding tasks (42) in ringbuffer and padding, the
// lost generated key (46) and the exhausted worker ids (PR 88) in worker; and here the
// end of time (100, 29) and idling (8, 89, 44) in cached_test.go, and parts that are too
// large (PR 52) in layout_test.go.

// 96: the rest of a partly used second is skipped.
func TestBaidu96_NoPartOfASecondIsSkipped(t *testing.T) {
	inBubble(t, testConfig(), func(t *testing.T, g *CachedGenerator) {
		var ids []ID
		for i := range 500 {
			ids = append(ids, take(t, g, 1+i%7)...)
		}
		for i, id := range ids {
			p, err := g.ParseUID(id)
			require.NoError(t, err)
			require.EqualValues(t, i%16, p.Seq)
			require.EqualValues(t, i/16, p.Time.Unix()-bubbleStart.Unix())
		}
	})
}

// 105, 26: two threads that take the last id at once get one id twice, or an
// error that should not be.
func TestBaidu105_TheLastIdIsTakenOnce(t *testing.T) {
	for _, size := range []int64{1, 2} {
		c := liveClock(testConfig())
		c.Layout.SeqBits, c.RingSize = 0, size // every id is the last one
		g := cached(t, worker.Static(1), c)
		takeFromMany(t, g, 8, 5_000)
		assert.Zero(t, g.Stats().Rejected)
	}
}

// Without a number, and no fault: the first second of its ring is the one after
// the start.
func TestBaidu_TheFirstSecondIsThatOfTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(1500 * time.Millisecond)
		l := &testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}
		for kind, open := range constructors {
			g, err := open(t.Context(), l, testConfig())
			require.NoError(t, err)
			p, err := g.ParseUID(take(t, g, 1)[0])
			require.NoError(t, err)
			assert.Equal(t, bubbleStart.Add(time.Second), p.Time, kind)
			require.NoError(t, g.Close())
		}
	})
}

// Without a number: its ring of 65,536 slots is filled with as many ids once, at
// the start, and after that with one fewer.
func TestBaidu_TheRingIsRefilledToItsSize(t *testing.T) {
	c := testConfig()
	c.Layout.SeqBits, c.Layout.TimeBits, c.ScheduleInterval = 13, 28, time.Second
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		for range 5 {
			time.Sleep(time.Second)
			synctest.Wait()
			assert.EqualValues(t, 65_536, g.Stats().Left)
			take(t, g, 1024)
		}
	})
}

// 78: a log line per take below the threshold.
func TestBaidu78_TakesDoNotLog(t *testing.T) {
	c := testConfig()
	log := logTo(&c)
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 10_000)
		synctest.Wait()
		// the static worker id, ids far ahead
		assert.LessOrEqual(t, strings.Count(log.String(), "\n"), 2, log.String())
	})
}
