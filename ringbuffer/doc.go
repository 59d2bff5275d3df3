// Package ringbuffer is the queue that ids wait in: one producer puts spans of evenly spaced
// numbers, and any number of goroutines take numbers out, in order and without a lock, by
// one fetch-and-add each. It is part of package uid, its only user: v1 does not cover its
// API.
//
//	var ring ringbuffer.Ring
//	err := ring.Init(256, 256, 0, math.MaxInt64) // slots, numbers in each, spacing, bits that count
//
//	ok := ring.Put(1000, 256)    // the producer: 1000 to 1255; false when full
//	begun := ring.Begin()        // any goroutine: one number, see Begin, or up to ten in a row:
//	first, n, low := ring.Take(ringbuffer.Attempt{}, 10)
//
// It is Baidu's padded RingBuffer (cursor, tail and a flag in each slot, on cache lines of
// their own) with three changes. First, a slot holds a span of numbers, so that most takes
// do not move the shared cursor. Second, each slot has a counter, and a take adds to the
// number itself: Baidu's takes compare with a stale reading of the cursor, so that two of
// them can get the same slot. Third, the ring makes no calls: where Baidu's runs its padder
// and its handlers, this one returns that it is low or empty, and its caller acts.
//
// # Positions
//
// Position p lies in slots[p mod size], in lap p/size; the first lap is 1. The cursor is
// the position from which numbers are taken, the tail the position to be put next:
//
//	cursor <= tail <= cursor + size
//
// The cursor is kept as a place: p times the size of a slot in bytes, with the last bit of its
// lap as the lowest bit. So a take gets from the cursor to the slot by one AND, without a shift
// and a check of bounds. Places do not repeat, which is what makes comparing and swapping the
// cursor safe: 2^57 positions last for decades at a slot every ten nanoseconds.
//
// A slot is two words, each on a cache line of its own:
//
//	end    L<<1 | the lap's last bit, where L is the last number of its span
//	next   the next number of its span; above L when it is used up
//
// Not all bits of a number need to grow: those of a worker id are the same in all of a span,
// and may be less in the next. They are a number's frame, which only end has. What follows
// is about the other bits, counted in steps of the ring's spacing, so that the count is
// below 2^63 and one step is 1. The lap's last bit is the lowest one of the cursor and of
// end.
//
//	put:   next = F, then end = L<<1 | bit, which publishes the slot
//	take:  c := cursor, e := end; do they have the same bit, and is the cursor still c?
//	       then v := next, next = v+1: v is taken, in e's frame, if it is at most e's L
//
// The numbers put into a slot increase from lap to lap: F is above every earlier L. Put
// refuses anything else.
//
// # Why no number is taken twice
//
// All atomic operations are totally ordered. Let a take of position p return v.
//
//	(1) The cursor was p before and after end was read. Lap p-size was put before
//	    the cursor came to p, and p+size is not put before the cursor has left p. So
//	    end was lap p's or the previous lap's, the bit says which, and L is lap p's.
//	    So is the frame, which is in the same word.
//	(2) next = F came before that end, and the add after it. So v is from lap p's
//	    counter or from a later lap's, which begins above L.
//	(3) v <= L, so v is from lap p's counter, which only grows, and gives each number
//	    once.
//
// A take that pauses between reading and adding, for however long, gets no wrong number. It
// may have added to a later lap's counter, and then no take gets that number: see Spoilt. No
// take adds to a slot that has not been put, so an empty ring is not written to at all. To a
// slot that is used up each taker adds at most once, since it then sees that the cursor has
// moved on. So a counter exceeds its last number by at most the number of goroutines times
// the longest span. The counter is unsigned, which leaves 2^63 above the highest number:
// more goroutines than fit into the address space of a machine.
//
// # Why none is lost, and order
//
// The cursor leaves p when lap p's counter is above L, and the counter stays above L. The
// taker that gets L moves the cursor, and so does one that finds the counter above L: by a
// compare-and-swap from p, so that the cursor moves once. The cursor only increases, the
// numbers increase from slot to slot, and a take gets its number from the slot that the
// cursor was at after the take began. So the numbers that one goroutine takes increase.
//
// A drop removes the first numbers of a slot, or all of them: it compares and swaps next for
// a higher number, and so learns exactly how many it removed. An add before the swap took
// its number, and makes the swap fail; a later add, by a taker that read the slot before,
// gives what is left, or nothing.
//
// # Why a wake-up is not lost
//
// The producer stores the low-water mark and then reads the cursor; a take that leaves a
// slot moves the cursor and then reads the mark. Atomics are sequentially consistent, so
// at least one of the two sees the other's write: either the producer itself finds the
// ring low, or the take returns low, even if it then finds the ring empty. Swapping the
// mark away lets exactly one take return low.
//
// # How it is checked
//
// TestEveryInterleaving compiles the functions of this package from their source and
// explores all orders of their atomic steps, on rings of one and two slots.
// TestTheCheckerFindsMutants changes that source, and each change must be found.
package ringbuffer
