// Package ringbuffer is the ring that ids wait in: one producer puts spans of evenly
// spaced numbers, any number of goroutines take numbers out, in order, without a
// lock, by one fetch-and-add for each.
//
//	var ring ringbuffer.Ring
//	err := ring.Init(256, 256, 0, 0) // slots, numbers in each, spacing, last bits
//
//	ok := ring.Put(1000, 256)            // the producer: 1000 to 1255; false when full
//	first, n, low := ring.TakeSpan(10)   // anybody: up to ten numbers in a row
//	claim := ring.Begin()                // or one, see Claim
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
// Position p lies in slots[p mod size], in lap p/size; the first lap is 1. The
// cursor is the position that is taken from, the tail the one to be put next:
//
//	cursor <= tail <= cursor + size
//
// A slot is two words, with a cache line for each:
//
//	end    L<<1 | the lap's last bit, where L is the last number of its span
//	next   the next number of its span; above L when it is used up
//
// Numbers are counted in steps of the ring's spacing, so that they are below 2^63
// and one step is 1. The cursor has its lap's last bit in the same place as end.
//
//	put:   next = F, then end = L<<1 | bit, which publishes the slot
//	take:  c := cursor, e := end; have they the same bit, and is the cursor c still?
//	       then v := next, next = v+1: v is taken if it is at most e's L
//
// What a slot is put grows from lap to lap: F is above every L before. Put refuses
// anything else.
//
// # Why no number is taken twice
//
// All atomic operations are in one order. Let a take of position p return v.
//
//	(1) The cursor was p before and after end was read. Lap p-size was put before
//	    the cursor came there, and p+size is not put before it has left. So end was
//	    lap p's or the one's before, the bit says which, and L is lap p's.
//	(2) next = F came before that end, and the add after it. So v is from lap p's
//	    counter or from a later lap's, which begins above L.
//	(3) v <= L, so v is from lap p's counter, which gives each number once.
//
// A take that waits between the look and the add, for however long, gets nothing
// wrong. What it added to may be a later lap's number, which then nobody gets: see
// Spoilt. Nobody adds to a slot that is not there, so an empty ring is not written
// to at all, and to one that is used up each taker adds once at most: then it
// sees the cursor beyond. A counter therefore exceeds its last number by at most
// the goroutines there are times the longest span. It is unsigned, which leaves
// 2^63 above the highest number: more than all addresses of a machine have room
// for goroutines.
//
// # Why none is lost, and order
//
// The cursor leaves p when lap p's counter is above L, or closed. Both are for
// good. Who takes L moves the cursor, and so does who finds the counter above: by
// comparing with p, so that it moves once. The cursor only grows, the numbers grow
// from slot to slot, and a take is of the slot that the cursor was at after the
// take began: so what one goroutine takes grows.
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
