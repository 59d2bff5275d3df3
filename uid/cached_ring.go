package uid

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/ringuid/ringuid/ringbuffer"
)

// coarseness: a slot holds at most this part of the ring, so that slots are counted
// where ids are meant.
const coarseness = 16

// ringShape is how many ids a ring holds, and how they get into it.
type ringShape struct {
	ids     int64 // of a tick
	perSlot int64 // ids of a slot; the last one of a tick may have fewer
	slots   int64 // a power of two
}

// ringShape is the shape of the ring that the settings ask for; an error if it is too large.
func (c Config) ringShape() (ringShape, error) {
	tick := c.tickIDs()
	ids, setting := c.ringIDs(tick)
	most := min(ringbuffer.MaxSpan, floorPowerOfTwo(max(ids/coarseness, 1)))
	slots := (tick-1)/most + 1    // of a tick,
	perSlot := (tick-1)/slots + 1 // which are equally full
	wanted := (ids-1)/perSlot + 1 // of the ring
	if wanted > ringbuffer.MaxSlots {
		return ringShape{}, fmt.Errorf(
			"%w: %s makes a ring of %d ids, which does not fit into 256 MiB: at most %d ids do; a ring "+
				"need not hold a whole tick",
			ErrConfig, setting, ids, perSlot*ringbuffer.MaxSlots)
	}
	return ringShape{tick, perSlot, ceilPowerOfTwo(wanted)}, nil
}

// init makes the ring for ids of these fields.
func (s ringShape) init(r *ringbuffer.Ring, f *fields) {
	if err := r.Init(int(s.slots), int(s.perSlot), f.seq.shift, f.counted); err != nil {
		panic("uid: " + err.Error()) // no setting makes such a shape
	}
}

// size is how many ids the ring holds.
func (s ringShape) size() int64 { return s.slots * s.perSlot }

// slotsOf is how many slots so many ids of a tick fill.
func (s ringShape) slotsOf(ids int64) int64 { return (ids + s.perSlot - 1) / s.perSlot }

// ringIDs is how many ids the ring shall hold, math.MaxInt64 for too many to
// count, and the setting that says so.
func (c Config) ringIDs(tick int64) (ids int64, setting string) {
	switch {
	case c.RingSize > 0:
		return c.RingSize, fmt.Sprintf("RingSize %d", c.RingSize)
	case c.BoostPower == NoBoost:
		return tick, fmt.Sprintf("NoBoost with %d ids in a tick", tick)
	case c.BoostPower > 0:
		return shiftUp(tick, c.BoostPower), fmt.Sprintf("BoostPower %d with %d ids in a tick",
			c.BoostPower, tick)
	}
	return min(shiftUp(tick, defaultBoostPower), defaultRingLimit), "the default"
}

// shiftUp is n<<by, or math.MaxInt64 when that overflows.
func shiftUp(n int64, by int) int64 {
	if by > idBits-bits.Len64(uint64(n)) {
		return math.MaxInt64
	}
	return n << by
}

// floorPowerOfTwo is the largest power of two that is not above n, which is 1 or
// more.
func floorPowerOfTwo(n int64) int64 { return 1 << (bits.Len64(uint64(n)) - 1) }

// ceilPowerOfTwo is the smallest power of two that is not below n, which is 1 or
// more.
func ceilPowerOfTwo(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }
