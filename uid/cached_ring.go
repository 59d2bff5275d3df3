package uid

import (
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/ringuid/ringuid/ringbuffer"
)

// coarseness: a slot holds at most 1/coarseness of the ring, so that slots can be counted in
// place of ids.
const coarseness = 16

// fullSlots is how many ids a ring with coarseness slots of the longest spans holds; a larger
// ring is not faster.
const fullSlots = coarseness * ringbuffer.MaxSpan

// ringShape is how many ids a ring holds, and how they get into it.
type ringShape struct {
	row     int64 // ids that are minted together: of a tick, or of a run of ticks that fills a slot
	perSlot int64 // ids of a slot; the last slot of a row may have fewer
	slots   int64 // a power of two
}

// ringShape returns the shape of the ring that the settings ask for; an error if it is too large.
func (c Config) ringShape(runsOn bool) (ringShape, error) {
	row := c.tickIDs()
	ids, setting := c.ringIDs(row, runsOn)
	most := min(ringbuffer.MaxSpan, floorPowerOfTwo(max(ids/coarseness, 1)))
	if runsOn {
		row = max(row, most) // both are powers of two
	}
	slots := (row-1)/most + 1     // of a row,
	perSlot := (row-1)/slots + 1  // which are equally full
	wanted := (ids-1)/perSlot + 1 // of the ring
	if wanted > ringbuffer.MaxSlots {
		return ringShape{}, fmt.Errorf(
			"%w: %s makes a ring of %d ids, which does not fit into 256 MiB: at most %d ids do; a ring "+
				"need not hold a whole tick",
			ErrConfig, setting, ids, perSlot*ringbuffer.MaxSlots)
	}
	return ringShape{row, perSlot, ceilPowerOfTwo(wanted)}, nil
}

// size returns how many ids the ring holds.
func (s ringShape) size() int64 { return s.slots * s.perSlot }

// slotsOf returns how many slots this number of ids of a row fills.
func (s ringShape) slotsOf(ids int64) int64 { return (ids + s.perSlot - 1) / s.perSlot }

// runsOn reports whether a span may continue from one tick into the next. A RejectPut decides
// about one tick at a time. If the whole ring may not be minted at once, ticks are minted one at
// a time, too, and a slot would get no more than one.
func (c Config) runsOn() bool {
	f, tick := c.Layout.fields(), c.tickIDs()
	ids, _ := c.ringIDs(tick, true)
	return c.RejectPut == nil && f.inARow(tick) &&
		(c.MaxAhead == 0 || ids/tick <= int64(c.MaxAhead/c.Layout.Unit))
}

// ringIDs returns how many ids the ring is to hold, math.MaxInt64 for too many to count, and
// the setting that says so.
func (c Config) ringIDs(tick int64, runsOn bool) (ids int64, setting string) {
	switch {
	case c.RingSize > 0:
		return c.RingSize, fmt.Sprintf("RingSize %d", c.RingSize)
	case c.BoostPower > 0:
		return shiftUp(tick, c.BoostPower), fmt.Sprintf("BoostPower %d with %d ids in a tick",
			c.BoostPower, tick)
	}
	ids = shiftUp(tick, defaultBoostPower)
	if runsOn && tick < fullSlots { // a second of tiny ticks takes as many slots as eight ticks
		ids = max(ids, min(tick*int64(time.Second/c.Layout.Unit), fullSlots))
	}
	return min(ids, defaultRingLimit), "the default"
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
