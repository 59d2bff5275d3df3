package opaque

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/internal/race"
)

// Every width of small blocks, every number: the walk is that of the 63 bits.
func TestEverySmallWidthIsABijection(t *testing.T) {
	for _, key := range [][4]uint8{{1, 2, 3, 4}, {0xff, 0x80, 0x7f, 0x01}} {
		step := 1
		if race.Enabled { // which finds nothing in one goroutine
			step = 5
		}
		for width := 1; width <= 16; width += step {
			p := permutation{cipher: newModel(key), last: 1<<width - 1}
			seen := make([]bool, p.last+1)
			for v := range p.last + 1 {
				hidden := p.hide(v)
				if hidden > p.last || seen[hidden] || p.reveal(hidden) != v {
					t.Fatalf("width %d: %d is hidden as %d, which is too large, or not the first, or reveals %d",
						width, v, hidden, p.reveal(hidden))
				}
				seen[hidden] = true
			}
		}
	}
}

func TestBlocksOfAllSizesAreReversible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, width := rapid.Uint64().Draw(t, "v"), rapid.IntRange(28, 32).Draw(t, "width of a block of 32")
		p := permutation{cipher: newModel([4]uint16(draw4(t, rapid.Uint16()))), last: 1<<width - 1}
		require.Equal(t, v&p.last, p.reveal(p.hide(v&p.last)))

		width = rapid.IntRange(60, 64).Draw(t, "width of a block of 64")
		q := permutation{cipher: newSpeck([4]uint32(draw4(t, rapid.Uint32()))), last: 1<<width - 1}
		hidden := q.hide(v & q.last)
		require.LessOrEqual(t, hidden, q.last)
		require.Equal(t, v&q.last, q.reveal(hidden))
		require.Equal(t, v&q.last, q.hide(q.reveal(v&q.last)))
	})
}

func draw4[W word](t *rapid.T, g *rapid.Generator[W]) []W {
	return rapid.SliceOfN(g, 4, 4).Draw(t, "key")
}

// Of numbers that follow one another half the bits differ when hidden.
func TestNeighboursAreFarApart(t *testing.T) {
	p := permutation{cipher: newSpeck([4]uint32{1, 2, 3, 4}), last: 1<<63 - 1}
	const n = 20_000
	differ := 0
	for v := range uint64(n) {
		differ += bits.OnesCount64(p.hide(v) ^ p.hide(v+1))
	}
	assert.InDelta(t, 31.5, float64(differ)/n, 0.2, "of 63 bits")
}

func TestTheWalkTakesTwoEncryptionsOnAverage(t *testing.T) {
	p := permutation{cipher: newSpeck([4]uint32{1, 2, 3, 4}), last: 1<<63 - 1}
	const n = 20_000
	encryptions := 0
	for v := range uint64(n) {
		for block := v; ; {
			encryptions++
			if block = p.cipher.encrypt(block); block <= p.last {
				break
			}
		}
	}
	assert.InDelta(t, 2, float64(encryptions)/n, 0.05)
}
