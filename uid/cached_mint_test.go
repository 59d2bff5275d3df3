package uid

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/ringbuffer"
)

// The original wakes its padder with the take that leaves fewer ids than half of
// its ring. However long that takes to come, ours has as many ids left for it, and
// not many more.
func TestTheThresholdCountsIds(t *testing.T) {
	for seqBits := range 14 {
		for _, boost := range []int{1, 2, 3, 5} {
			c := ringConfig()
			c.Layout = Layout{Epoch: testLayout.Epoch, Unit: time.Second, TimeBits: 40, WorkerBits: 5,
				SeqBits: seqBits}
			c.BoostPower = boost
			if c.Layout.maxSeq()+1<<boost < 16 {
				continue
			}
			t.Run(fmt.Sprintf("%d bits, boost %d", seqBits, boost), func(t *testing.T) {
				inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
					synctest.Wait()
					for low := false; !low; { // and the padder does not wake up
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
