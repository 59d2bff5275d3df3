package ringbuffer

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/ringuid/ringuid/internal/cacheline"
)

const (
	// MaxSpan is the most numbers that a slot holds. With longer spans fewer takes meet
	// the end of a slot, but more numbers are dropped and refilled at once.
	MaxSpan = 4096

	// MaxSlots bounds the memory of a ring to 256 MiB, so that a wrong setting
	// is an error and not an exhausted machine.
	MaxSlots = 1 << 21

	disarmed = math.MaxUint64
)

// Ring is a bounded queue of spans of evenly spaced numbers. Put, Skip, Flush, Expire and
// Arm are the producer's; the takes are for any number of goroutines.
//
// Invariant: there is one producer, whose calls do not overlap. A generator makes them in its
// padder's critical section. All others are in the package's documentation.
type Ring struct {
	_      cacheline.Pad
	cursor atomic.Uint64 // place of the slot that numbers are taken from; only grows
	_      cacheline.Pad
	tail   atomic.Uint64 // position to be put next; only grows
	_      cacheline.Pad
	low    atomic.Uint64 // the position whose reaching wakes the producer, or disarmed
	spoilt atomic.Uint64 // see Spoilt; only grows
	_      cacheline.Pad
	stale  atomic.Int64 // the highest number that must not be handed out any more; only grows
	_      cacheline.Pad

	// Never written after Init.
	slots   []slot
	mask    uint64 // slots - 1
	spacing uint   // log2 of the distance between two numbers of a span
	counted int64  // the bits of a number that are not its frame
	span    uint64 // the most numbers of a slot
	lap     uint   // log2 of the slots
	_       cacheline.Pad
}

// slot is a span of numbers, of which next has what is counted, in steps of the ring's
// spacing: (number&counted)>>spacing, which is below 2^63.
type slot struct {
	// Written by the producer once a lap, and last: publishes the slot.
	end atomic.Uint64 // the span's last number << 1 | the lap's last bit
	_   [line - 8]byte

	// Added to by all takes.
	next atomic.Uint64 // the span's next number; above its last one when used up
	_    [line - 8]byte
}

// line keeps what every take writes apart from what every take reads.
const line = 64

// Init prepares a zero Ring with this number of slots, each for up to span numbers that
// lie 1<<spacing apart. counted is a mask of the bits in which numbers grow, none of them
// below spacing; all others are a number's frame, which is the same in all of a span, but
// need not be in all spans. slots is a power of two, at most MaxSlots; span is 1 to
// MaxSpan, spacing 0 to 62; anything else is an error. A take is one memory access shorter
// if the Ring is embedded in a larger struct, not a pointer in it.
func (r *Ring) Init(slots, span, spacing int, counted int64) error {
	switch {
	case slots < 1 || slots > MaxSlots || slots&(slots-1) != 0:
		return fmt.Errorf("ringbuffer: %d slots: want a power of two, 1 to %d", slots, MaxSlots)
	case span < 1 || span > MaxSpan:
		return fmt.Errorf("ringbuffer: spans of %d: want 1 to %d", span, MaxSpan)
	case spacing < 0 || spacing > 62:
		return fmt.Errorf("ringbuffer: spacing %d: want 0 to 62", spacing)
	case counted <= 0 || counted>>spacing<<spacing != counted:
		return fmt.Errorf("ringbuffer: counted %#x: want bits from %d to 62", counted, spacing)
	}
	r.slots = make([]slot, slots)
	r.mask = uint64(slots) - 1
	r.span = uint64(span)
	r.spacing = uint(spacing)
	r.counted = counted
	r.lap = uint(bits.TrailingZeros(uint(slots)))
	r.cursor.Store(r.place(uint64(slots))) // the first lap is 1, so no slot is there
	r.tail.Store(uint64(slots))
	r.low.Store(disarmed)
	r.stale.Store(-1)
	return nil
}

// slot returns the slot of position p.
func (r *Ring) slot(p uint64) *slot { return &r.slots[p&r.mask] }

// place is a position as the cursor has it: p<<1 | its lap's last bit.
func (r *Ring) place(p uint64) uint64 { return p<<1 | p>>(r.lap&63)&1 }

// number converts steps to a number without its frame.
func (r *Ring) number(v uint64) int64 { return int64(v << (r.spacing & 63)) }

// steps is what a slot counts of a number.
func (r *Ring) steps(number uint64) uint64 { return number & uint64(r.counted) >> (r.spacing & 63) }

// last is a span's last number in steps, by the slot's end.
func (r *Ring) last(end uint64) uint64 { return r.steps(end >> 1) }

// framed is a number of a span with its frame: as many steps below the last one as v is.
func (r *Ring) framed(v, end uint64) int64 {
	return int64(end>>1 - (r.last(end)-v)<<(r.spacing&63))
}
