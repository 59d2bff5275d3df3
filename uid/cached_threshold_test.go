package uid

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/stretchr/testify/assert"
)

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
							_, _, low = g.ring.TakeSpan(1)
						}
						size := g.Stats().RingSize
						assert.GreaterOrEqual(t, g.ring.Left(), size/2-1)
						assert.LessOrEqual(t, g.ring.Left(), size/2+size/coarseness+1)
					})
				})
			}
		}
	}
}

// Baidu's handlers on rings of every width: quiet takes get the seconds 1 to 8, 10
// to 13, 15 to 18 after its start, and of those between nothing.
func TestDiscardRestIsTheOldWayForEveryWidth(t *testing.T) {
	for seqBits := range 14 {
		c := testConfig()
		c.Layout = Layout{Epoch: testLayout.Epoch, Unit: time.Second, TimeBits: 40, WorkerBits: 5,
			SeqBits: seqBits}
		c.RejectPut, c.MaxLag = policy.Discard, -1
		t.Run(fmt.Sprintf("%d bits", seqBits), func(t *testing.T) {
			inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
				perSecond := c.Layout.maxSeq() + 1
				for _, second := range []int64{0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19} {
					for seq := range perSecond {
						if seq%64 == 0 || seq == perSecond-1 {
							synctest.Wait()
						}
						id, err := g.GetUID()
						assert.NoError(t, err)
						p, err := g.ParseUID(id)
						assert.NoError(t, err)
						if p.Seq != seq || p.Time.Unix()-bubbleStart.Unix() != second {
							t.Fatalf("second %d, number %d instead of %d, %d", p.Time.Unix()-bubbleStart.Unix(), p.Seq,
								second, seq)
						}
					}
				}
			})
		})
	}
}
