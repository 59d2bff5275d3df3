// Package ringbuffer is the ring that ids wait in: one producer side puts spans
// of evenly spaced numbers, any number of goroutines take numbers out, in order,
// without a lock, by one fetch-and-add for each.
//
// It is Baidu's padded RingBuffer (cursor, tail and a flag in each slot, on
// cache lines of their own) with three changes. A slot holds a span of numbers,
// so that a take moves no cursor that all slots share. It has a counter, and what
// a take adds to is the number itself: Baidu's takes move the cursor by a stale
// reading, and two of them can pass for one slot. And the ring calls nobody: where
// Baidu's runs its padder and its handlers, this one answers that it is low or
// empty, and its caller acts.
//
// # Positions
//
// Positions count from 1, and p lies in slots[p mod size]. The cursor is the
// position that is taken from, the tail the one to be put next:
//
//	cursor <= tail <= cursor + size
//
// A slot is three words, of which the last one has a cache line to itself:
//
//	pos    p when position p can be taken from, 0 while it is put
//	last   the last number of its span
//	next   the next number of its span; above last when it is used up
//
// Numbers are counted in steps of the ring's spacing, so that they are below 2^63
// and one step is 1.
//
//	put:   last = L, next = F, between pos = 0 and pos = p
//	take:  p := cursor; l := last; is pos = p? v := next; next = v+1; is v <= l?
//
// What a slot is put grows from lap to lap: F is above every L before. Put refuses
// anything else.
//
// # Why no number is taken twice
//
// All atomic operations are in one order. Let a take return v: it read l, then saw
// pos = p, then added, and v <= l. Let L be the last number of lap p.
//
//	(1) l <= L: a later lap's last is stored after pos has left p for good.
//	(2) If l is an earlier lap's, l < F. The add came after next = F, and next only
//	    grows from there, so v >= F > l, which was not returned.
//	(3) So l = L. If the slot was put again before the add, v is above L for the
//	    same reason, or is what was added to L+1 in vain: not returned.
//	(4) So next was lap p's counter when v was taken from it, and gives v once.
//
// A take that waits between the look and the add, for however long, gets nothing
// wrong. What it added to may be a later lap's number, which then nobody gets: see
// Spoilt. Nobody adds to a slot that is not there, so an empty ring is not written
// to at all, and to one that is used up each taker adds once at most: then it
// sees the cursor beyond. A counter therefore exceeds its last number by at most
// the goroutines there are times the longest span, and is unsigned, which leaves
// 2^63 above the highest number.
//
// # Why none is lost, and order
//
// The cursor leaves p when lap p's counter is above L, or closed. Both are for
// good. Who takes L moves the cursor, and so does who finds the counter above: by
// comparing with p, so that it moves once. A take that reads pos before and after
// last knows that last is lap p's; one that has added first, and found v above what
// it read, does that afterwards. The cursor only grows, and so do the numbers from
// slot to slot, so what one goroutine takes grows.
//
// A flush swaps next for a number above all, which says exactly what was left: an
// add that comes later, by whoever looked before, gives nothing.
//
// # Why a wake-up is not lost
//
// The producer stores the low-water mark and then reads the cursor; a take that
// leaves a slot moves the cursor and then reads the mark. Atomics are
// sequentially consistent, so at least one of the two sees the other: either the
// producer finds the ring low by itself, or the take answers low, even if it then
// finds the ring empty. Swapping the mark away lets exactly one take answer so.
//
// # How it is checked
//
// TestEveryInterleaving compiles the functions of this package from their source
// and goes through all orders of their atomic steps, on rings of one and two slots.
// TestTheCheckerFindsMutants changes that source and must find what breaks.
package ringbuffer
