package uid

import (
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
)

// term is a sequence under one lease, on one track. Its segments are the common case: a segment is
// what is left of one tick, for as long as the monotonic clock alone can tell that it is
// still this tick. A call reads that clock and does one fetch-and-add. What it adds to is
// the id itself, without the bits below the sequence: the ids of a tick are consecutive
// numbers.
//
// The segments of a term are opened and closed under the sequence's lock, one after the
// other:
//
//	open:   set last, next, and then until, which lets calls in
//	close:  until = 0, and next is replaced by a number above all
//	claim:  read last, until; is now, which was read before, earlier than until?
//	        then v = next, next = v+1: v is the call's own if v <= last
//	claimUpTo: the same, but v = next is compared first, and if v <= last then
//	        next = v+n, with v+n-1 <= last, provided that next is still v
//
// # Why no number is given out twice
//
// Let segment j be opened with next = F(j) and last = L(j), the tick's last number. Of
// the segments of a term, all of one worker id and one turn,
//
//	F(j+1) > every v <= L(j) that segment j's next gave           (1)
//	L(j+1) = L(j), or L(j+1) >= F(j+1) > L(j)                  (2)
//
// (1) holds because close learns exactly what was given, and a call that adds later gets a
// number above all; (2) holds because ticks only grow. All atomic operations are in one
// order. Let a call that read last = L(k) return v, which next gave in segment j. last was read
// before the add, so k <= j. If L(k) were less than L(j), then v >= F(j) > L(k) by (2), and
// v would not be returned. So L(k) = L(j) >= v, and v is one of segment j's, whose next gives
// each number once; by (1) no other segment gives it. A call may pause between its look and its
// add, for however long: it may then add to a later tick's number, which no call gets.
//
// The same holds for the numbers v to v+n-1 of a batch, which its swap takes at once: what
// matters is that last was read before the swap. A batch leaves next alone unless all that
// it adds is its own. So a batch that pauses until the tick has ended costs the next tick
// nothing, whereas an add costs one number.
//
// Between segments until is 0, and next is 2^63 and grows by what is added by calls that looked
// before: one each, so that 2^63 of them would have to be paused at once to wrap it.
//
// # Why it is of the tick that the clock shows
//
// By the same argument until is that of a segment from k to j, and so of the tick of v. That
// tick had begun before the add, because segment j was open, and it had not ended when the call
// read the clock, because until is the tick's end at the latest. So the clock showed it
// during the call, however long the call was paused.
//
// TestEveryInterleavingOfTakesAndFills compiles these functions from their source and explores all
// orders of their atomic steps.
type term struct {
	lease  *heldLease // this and the next two are never written
	below  uint8      // a number is an id without this many low bits,
	ending ID         // which are these, of the lease's worker id

	first uint64        // the segment's first number; under the sequence's lock
	last  atomic.Uint64 // the tick's last number
	until atomic.Int64  // the segment ends then, by the monotonic clock; 0: it is closed
	_     cacheline.Pad
	next  atomic.Uint64 // added to by every call, so on a line of its own
	_     cacheline.Pad
}

// above is a number above all others: the next of a segment that is closed.
const above = 1 << idBits

// claim takes the number v, which is the call's own if v <= last.
func (t *term) claim(now time.Duration) (v, last uint64) {
	last = t.last.Load()
	if int64(now) >= t.until.Load() {
		return above, 0
	}
	return t.next.Add(1) - 1, last
}

// claimUpTo takes up to limit numbers: n of them, from v on. ok is false when there are none.
func (t *term) claimUpTo(now time.Duration, limit int) (v uint64, n int, ok bool) {
	last := t.last.Load()
	if int64(now) >= t.until.Load() {
		return 0, 0, false
	}
	for {
		v = t.next.Load()
		if v > last {
			return 0, 0, false
		}
		n = int(min(uint64(limit), last-v+1))
		if t.next.CompareAndSwap(v, v+uint64(n)) {
			return v, n, true
		}
	}
}

// id returns the id of a number.
func (t *term) id(v uint64) ID { return ID(v<<(t.below&63)) | t.ending }

// newTerm makes a term without a segment.
func (s *source) newTerm(h *heldLease) *term {
	f := &s.fields
	t := &term{lease: h, below: uint8(f.seq.shift)}
	t.ending = f.compose(Parts{Worker: h.WorkerID()}) & ID(mask(f.seq.shift))
	return t
}

// open begins a segment of n numbers; first is the id of the first one.
func (t *term) open(first ID, n int64, until time.Duration) {
	t.first = uint64(first) >> (t.below & 63)
	t.last.Store(t.first + uint64(n) - 1)
	t.next.Store(t.first)
	t.until.Store(int64(until))
}

// close ends the segment, if one runs, and returns how many numbers it gave.
func (t *term) close() (n int64) {
	if t.until.Swap(0) != 0 {
		n = t.upTo(t.next.Swap(above))
	}
	return n
}

// given returns what close would.
func (t *term) given() (n int64) {
	if t.until.Load() != 0 {
		n = t.upTo(t.next.Load())
	}
	return n
}

func (t *term) upTo(next uint64) int64 { return int64(min(next, t.last.Load()+1) - t.first) }
