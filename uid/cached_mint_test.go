package uid

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/ringbuffer"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The ring gives, of each tick, exactly the ids from MinSeq to MaxSeq with their
// tail, for every preset: its own ticks, however large or small the ring is, and
// ticks that begin and end at odd numbers.
func TestTheRingHoldsTheTicksOfEveryPreset(t *testing.T) {
	for _, name := range presets.names() {
		own := system(t, name)
		t.Run(name, func(t *testing.T) { ringOfTicks(t, own) })

		small := own
		small.RingSize = 24 // fewer than any preset's tick has
		t.Run(name+", small ring", func(t *testing.T) { ringOfTicks(t, small) })

		odd := own
		l := &odd.Layout
		l.TailBits, l.Tail = 3, 5
		l.TimeBits -= max(0, l.fields().bits-idBits)
		odd.MinSeq, odd.MaxSeq = max(3, odd.MinSeq), min(l.maxSeq()-1, 1001)
		for _, size := range []int64{0, 24, 1 << 13} {
			odd.RingSize = size
			t.Run(name+", odd ticks", func(t *testing.T) { ringOfTicks(t, odd) })
		}
	}
}

// ringOfTicks takes three ticks' ids and some, or the first few of a long tick.
func ringOfTicks(t *testing.T, c settings) {
	synctest.Test(t, func(t *testing.T) {
		s := aYearOn(c)
		clock := clockOf(c.Layout)
		clock.set(clock.start(s.from))
		c.Now = clock.Now
		g, err := newCached(t.Context(), worker.Static(3), c)
		require.NoError(t, err)
		defer g.Close()

		first, last := c.MinSeq, c.withDefaults().MaxSeq
		p := Parts{Tick: s.from, Worker: 3, Turn: c.Turn, Seq: first}
		n := int(min(3*(last-first+1), 20_000)) + 7
		ids, err := g.AppendUIDs(nil, n/2)
		require.NoError(t, err)
		for i, id := range append(ids, take(t, g, n-n/2)...) {
			if want, err := c.Layout.Compose(p); err != nil || want != id {
				require.NoError(t, err)
				require.Equal(t, want, id, "id %d", i)
			}
			if p.Seq++; p.Seq > last {
				p.Tick, p.Seq = p.Tick+1, first
			}
		}
		if last-first < 6000 {
			assert.Equal(t, s.from+3, p.Tick, "ticks were crossed")
		}
	})
}

// The original wakes its padder with the take that leaves fewer ids than half of
// its ring. However long that takes to come, ours has as many ids left for it, and
// not many more.
func TestTheThresholdCountsIds(t *testing.T) {
	for seqBits := range 14 {
		for _, boost := range []int{1, 2, 3, 5} {
			for _, minSeq := range []int64{0, 5} {
				c := testConfig()
				c.Layout = Layout{Epoch: testLayout.Epoch, Unit: time.Second, TimeBits: 40, WorkerBits: 5,
					SeqBits: seqBits}
				c.BoostPower = boost
				if c.MinSeq = minSeq; minSeq > c.Layout.maxSeq() {
					continue
				}
				if c.Layout.maxSeq()-minSeq+1<<boost < 16 {
					continue
				}
				t.Run(fmt.Sprintf("%d bits from %d, boost %d", seqBits, minSeq, boost), func(t *testing.T) {
					inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
						synctest.Wait()
						for low := false; !low; { // and the padder is not told
							_, _, low = g.mint.ring.Take(ringbuffer.Attempt{}, 1)
						}
						size := g.Stats().RingSize
						assert.GreaterOrEqual(t, g.mint.ring.Left(), size/2-1)
						assert.LessOrEqual(t, g.mint.ring.Left(), size/2+size/coarseness+1)
					})
				})
			}
		}
	}
}
