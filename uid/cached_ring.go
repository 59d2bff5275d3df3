package uid

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/ringuid/ringuid/ringbuffer"
)

// coarseness: a slot holds at most 1/coarseness of the ring, so that slots can be counted in
// place of ids.
const coarseness = 16

// ringShape is how many ids a ring holds, and how they get into it. All are powers of two.
type ringShape struct {
	ids     int64 // of a tick
	perSlot int64 // ids of a slot, all of one tick
	slots   int64
}

// ringShape returns the shape of the ring that the settings ask for; an error if it is too large.
func (c settings) ringShape() (ringShape, error) {
	tick := c.Layout.maxSeq() + 1
	ids, setting := c.ringIDs(tick)
	perSlot := min(ringbuffer.MaxSpan, floorPowerOfTwo(max(ids/coarseness, 1)), tick)
	wanted := (ids-1)/perSlot + 1 // slots
	if wanted > ringbuffer.MaxSlots {
		return ringShape{}, fmt.Errorf(
			"%w: %s makes a ring of %d ids, which does not fit into 256 MiB: at most %d ids do; a ring "+
				"need not hold a whole tick",
			ErrConfig, setting, ids, perSlot*ringbuffer.MaxSlots)
	}
	return ringShape{tick, perSlot, ceilPowerOfTwo(wanted)}, nil
}

// size returns how many ids the ring holds.
func (s ringShape) size() int64 { return s.slots * s.perSlot }

// ringIDs returns how many ids the ring is to hold, math.MaxInt64 for too many to count, and
// the setting that says so.
func (c settings) ringIDs(tick int64) (ids int64, setting string) {
	switch {
	case c.RingSize > 0:
		return c.RingSize, fmt.Sprintf("RingSize %d", c.RingSize)
	case c.BoostPower > 0:
		return shiftUp(tick, c.BoostPower), fmt.Sprintf("BoostPower %d with %d ids in a tick",
			c.BoostPower, tick)
	}
	return min(shiftUp(tick, defaultBoostPower), defaultRingLimit), "the default"
}

// shiftUp returns n<<by, or math.MaxInt64 when that overflows.
func shiftUp(n int64, by int) int64 {
	if by > idBits-bits.Len64(uint64(n)) {
		return math.MaxInt64
	}
	return n << by
}

// floorPowerOfTwo returns the largest power of two that is not above n, which is 1 or more.
func floorPowerOfTwo(n int64) int64 { return 1 << (bits.Len64(uint64(n)) - 1) }

// ceilPowerOfTwo returns the smallest power of two that is not below n, which is 1 or more.
func ceilPowerOfTwo(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }
