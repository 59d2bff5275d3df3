// Package ringbuffer is the ring that ids wait in: one producer side puts spans
// of evenly spaced numbers, any number of goroutines take numbers out, in order,
// without a lock.
//
// It is Baidu's padded RingBuffer (cursor, tail and a flag in each slot, on
// cache lines of their own) with three changes. A slot holds a span of up to 256
// numbers, so that most takes touch one slot that nobody else writes. A take
// reads the slot before it moves the cursor, so that a won compare-and-swap
// proves that the slot was not reused meanwhile: Baidu's takes move the cursor
// first, by a stale reading, and two of them can pass for one slot. And the ring
// calls nobody: where Baidu's runs its padder and its handlers, this one
// answers Low or Empty, and its caller acts.
//
// # Positions
//
// Slot p counts from 0 and lies in slots[p mod size]. The cursor is a slot and
// an offset within it, p<<shift | offset: the next number to be taken. The tail
// is the slot to be put next. At every instant
//
//	cursor>>shift <= tail <= cursor>>shift + size
//
// Each slot publishes itself by one word, end: the cursor's value just behind
// the slot's last number, p<<shift + n. So for a cursor c
//
//	1 <= end - c <= 1<<shift   the slot of c is there, end-c numbers are left in it
//	otherwise                  it holds an earlier lap, or nothing yet (end = 0),
//	                           or a later lap, and then the cursor has moved on
//
// The word plays the part of the flag: it is never 0 for a slot that was put,
// and no two laps share a value. Beside it lies base, the slot's first number
// minus p<<shift<<spacing, so that the number at cursor c is base + c<<spacing.
//
// # Why a take is safe
//
// A take loads cursor c, then end, then base, then swaps the cursor from c to
// its successor. Let the swap succeed. The cursor only grows, so it was c all
// the while; slot p can be put over only when the cursor has left p, so nobody
// wrote it all the while; and end was stored after base, so base is that slot's.
// If the swap fails, what was read is thrown away. A take writes nothing else.
//
// # Why a wake-up is not lost
//
// The producer stores the low-water mark and then reads the cursor; a take that
// leaves a slot swaps the cursor and then reads the mark. Atomics are
// sequentially consistent, so at least one of the two sees the other: either the
// producer finds the ring low by itself, or the take answers Low. Swapping the
// mark away lets exactly one take answer so.
package ringbuffer
