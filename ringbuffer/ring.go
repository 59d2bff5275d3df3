package ringbuffer

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

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

// Ring is a bounded queue of spans of evenly spaced numbers. There is one producer, which
// alone calls Put, Drop and Arm, one at a time: a generator does so in its padder's critical
// section. Everything else may be used by any number of goroutines.
//
// Invariants, before and after each atomic operation; why they hold is in the package's
// documentation:
//
//	size <= cursor's position <= tail <= cursor's position + size
//	L < next, where the cursor has left a slot and it is not being put
//	L of a slot's lap < F of its next lap
type Ring struct {
	_      cacheline.Pad
	cursor atomic.Uint64 // place of the slot that numbers are taken from; only grows
	_      cacheline.Pad
	tail   atomic.Uint64 // the position to be put next; only grows
	_      cacheline.Pad
	low    atomic.Uint64 // reaching this position wakes the producer; or disarmed
	spoilt atomic.Uint64 // see Spoilt; only grows
	_      cacheline.Pad
	stale  atomic.Int64 // the highest number that must not be handed out any more; only grows
	_      cacheline.Pad

	// Never written after Init.
	slots   unsafe.Pointer // the first slot
	offsets uint64         // those of the slots in bytes, as a mask: (size-1) << slotBits
	spacing uint           // log2 of the distance between two numbers of a span
	counted uint64         // the bits of a number that are not its frame
	size    uint64         // the number of slots
	lap     uint           // log2 of size
	span    uint64         // the most numbers of a slot
	_       cacheline.Pad
}

// slot is a span of numbers. next has only what is counted of them, in steps of the ring's
// spacing: (number&counted)>>spacing, which is below 2^63.
type slot struct {
	// Written by the producer once a lap, and last, which publishes the slot.
	end atomic.Uint64 // the span's last number << 1 | the lap's last bit
	_   [line - 8]byte

	// Added to by all takes.
	next atomic.Uint64 // the span's next number; above its last one when used up
	_    [line - 8]byte
}

const (
	line     = 64 // keeps what every take writes apart from what every take reads
	slotBits = 7  // log2 of a slot's size
)

// Init prepares a zero Ring with this number of slots, each for up to span numbers that lie
// 1<<spacing apart. counted is a mask of the bits in which numbers grow, none of them below
// spacing; all others are a number's frame, which is the same in all of a span, but need not
// be in all spans. slots is a power of two, at most MaxSlots; span is 1 to MaxSpan, spacing 0
// to 62; anything else is an error. A take needs one memory access less if the Ring is part of
// a larger struct, not a pointer in it.
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
	r.slots = unsafe.Pointer(unsafe.SliceData(make([]slot, slots)))
	r.offsets = uint64(slots-1) << slotBits
	r.size = uint64(slots)
	r.lap = uint(bits.TrailingZeros(uint(slots)))
	r.span = uint64(span)
	r.spacing = uint(spacing)
	r.counted = uint64(counted)
	r.cursor.Store(r.place(r.size)) // the first lap is 1, so no slot counts as put
	r.tail.Store(r.size)
	r.low.Store(disarmed)
	r.stale.Store(-1)
	return nil
}

// slot returns the slot at a place. It never lies outside of the ring, whatever at is.
func (r *Ring) slot(at uint64) *slot { return (*slot)(unsafe.Add(r.slots, at&r.offsets)) }

// place returns a position as the cursor has it: p<<slotBits | its lap's last bit. So a take
// gets from the cursor to the slot without a shift and a check of bounds.
func (r *Ring) place(p uint64) uint64 { return p<<slotBits | p>>(r.lap&63)&1 }

// after returns the place after this one.
func (r *Ring) after(at uint64) uint64 { return r.place(at>>slotBits + 1) }

// number converts steps to a number without its frame.
func (r *Ring) number(v uint64) int64 { return int64(v << (r.spacing & 63)) }

// steps returns what a slot counts of a number.
func (r *Ring) steps(number uint64) uint64 { return number & r.counted >> (r.spacing & 63) }

// last returns a span's last number in steps, by the slot's end.
func (r *Ring) last(end uint64) uint64 { return r.steps(end >> 1) }

// framed returns a number of a span with its frame: as many steps below the last one as v is.
func (r *Ring) framed(v, end uint64) int64 {
	return int64(end>>1 - (r.last(end)-v)<<(r.spacing&63))
}
