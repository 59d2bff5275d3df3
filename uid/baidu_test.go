package uid

import (
	"testing"

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
