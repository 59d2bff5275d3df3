package ringbuffer

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/ringuid/ringuid/internal/cacheline"
)

const (
	// MaxSpan is the most numbers that a slot holds. Longer spans make batches
	// cheaper, and take longer to become old when a stream or a CPU holds one.
	MaxSpan = 256

	// MaxSlots bounds the memory of a ring to 256 MiB, so that a wrong setting
	// is an error and not an exhausted machine.
	MaxSlots = 1 << 24

	disarmed = math.MaxUint64
)

// ErrSize is wrapped by New for a ring that cannot be.
var ErrSize = errors.New("ringbuffer: invalid size")

// State is how a take went.
type State uint8

const (
	Taken State = iota // there is a number
	Low                // there is a number, and the low-water mark was passed: refill
	Empty              // there is none
)

// Ring is a bounded queue of spans of evenly spaced numbers. Put, Skip,
// Expire and Arm belong to the producer, whose calls must not overlap if the
// numbers are to stay in order; Take and TakeSpan are for any number of goroutines.
//
// Invariants: see the package's documentation.
type Ring struct {
	_      cacheline.Pad
	cursor atomic.Uint64 // slot<<shift | offset of the next number; only grows
	_      cacheline.Pad
	tail   atomic.Uint64 // slot to be put next; only grows
	seen   atomic.Uint64 // a slot that the cursor has reached: seen <= cursor>>shift
	_      cacheline.Pad
	low    atomic.Uint64 // the slot whose reaching wakes the producer, or disarmed
	_      cacheline.Pad
	stale  atomic.Int64 // the highest number that must not be handed out any more; only grows
	_      cacheline.Pad

	// Never written after New.
	slots    []slot
	mask     uint64 // slots - 1
	spanMask uint64 // numbers in a whole slot - 1
	shift    uint   // log2 of the numbers in a whole slot
	spacing  uint   // log2 of the distance between two numbers of a span
	_        cacheline.Pad
}

// slot is not padded: a take writes no slot, so only the producer and those who
// read the same line meet here, once in hundreds of numbers.
type slot struct {
	end  atomic.Uint64 // p<<shift + n, stored last: publishes the slot
	base atomic.Int64  // first number - p<<shift<<spacing
}

// New makes a ring of the given number of slots, each for up to span numbers
// that lie 1<<spacing apart. Slots and span are powers of two, at most MaxSlots
// and MaxSpan, and spacing is 0 to 62; anything else is an error that wraps
// ErrSize.
func New(slots, span, spacing int) (*Ring, error) {
	r := new(Ring)
	return r, r.Init(slots, span, spacing)
}

// Init makes a zero Ring what New returns, for a Ring that is part of a larger
// struct: a take then follows one pointer less.
func (r *Ring) Init(slots, span, spacing int) error {
	switch {
	case slots < 1 || slots > MaxSlots || slots&(slots-1) != 0:
		return fmt.Errorf("%w: %d slots: want a power of two, 1 to %d", ErrSize, slots, MaxSlots)
	case span < 1 || span > MaxSpan || span&(span-1) != 0:
		return fmt.Errorf("%w: spans of %d: want a power of two, 1 to %d", ErrSize, span, MaxSpan)
	case spacing < 0 || spacing > 62:
		return fmt.Errorf("%w: spacing %d: want 0 to 62", ErrSize, spacing)
	}
	r.slots = make([]slot, slots)
	r.mask = uint64(slots) - 1
	r.spanMask = uint64(span) - 1
	r.shift = uint(bits.TrailingZeros64(uint64(span)))
	r.spacing = uint(spacing)
	r.low.Store(disarmed)
	r.stale.Store(-1)
	return nil
}

// Slots is the number of slots.
func (r *Ring) Slots() int { return len(r.slots) }

// Span is the most numbers that one slot holds.
func (r *Ring) Span() int { return int(r.spanMask) + 1 }

// slot returns the slot that the cursor value c points into.
func (r *Ring) slot(c uint64) *slot { return &r.slots[c>>(r.shift&63)&r.mask] }

// behind is the cursor value at the start of the slot after c's.
func (r *Ring) behind(c uint64) uint64 { return (c | r.spanMask) + 1 }

// number is the number at the cursor value c, in a slot with this base.
func (r *Ring) number(base int64, c uint64) int64 { return base + int64(c<<(r.spacing&63)) }
