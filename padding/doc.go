// Package padding fills a ring with ids: one goroutine mints ticks, puts their ids into the
// ring, drops those that are old, and sleeps while there is nothing to do. It is a part of
// package uid, which alone uses it: v1 does not cover its API.
//
//	p := padding.New(mint, padding.Config{IDs: 8192, Slots: 256, Low: 128, ...})
//	defer p.Close()
//
//	p.Wake() // a take has passed the ring's low-water mark
//
// The padder knows neither the ring nor the lease: it drives a [Mint], which the
// generator builds from both.
//
// # The borrowed second
//
// Baidu's padder counts its own seconds: each refill mints the next ones, whatever the
// clock says, so a burst borrows from the future, and an idle process hands out ids with
// old times. Ours mints
//
//	next = max(last+1, now, the first tick that the lease grants)
//
// so that the ids of a busy process run ahead of the clock and those of an idle one
// follow it. next has three bounds: the layout's last tick, what the lease grants, and
// MaxAhead, or the clock itself where nothing may be borrowed. At any of them the padder
// pauses, and resumes by itself when it may.
//
// Where the ids of all ticks lie in a row, the padder mints as many ticks at once as fill a
// slot, a run: with tiny ticks a slot holds hundreds of them. next is the first of the run,
// and none of its ticks lies beyond a bound: at one, a run is shorter.
//
// The rest of a tick that does not fit into the ring is kept and put next time, unless
// RejectPut says otherwise; Baidu's drops it, which loses a fifth of all ids at low load.
//
// # Old ids
//
// The ring is a window that moves with the clock. Ids are old when their tick ended half
// of MaxLag ago, or, where a tick is longer than that, as soon as it is over. They are
// dropped slot by slot; of a run of which some ticks are old, these are. So the next id is of
// the present tick or of one that ended at most MaxLag ago. Nothing is minted in place of what
// was dropped: takes have the ring refilled, when one uses up a slot and the ring is low, or
// finds the ring empty. Without takes it becomes empty within as many ticks as it holds. Then
// the padder sleeps, and no timer wakes it before the grant ends.
//
// When nothing newer may be minted, for example because the store of the lease is down,
// nothing is dropped, and before a grant ends the ring is filled with its last ticks. Ids that
// were taken as a span and not yet handed out are dropped with those of the ring. All this
// happens on the padder's own timer: a take reads no clock.
//
// Nobody is forgotten by a padder that sleeps without a timer:
//
//	the ring has ids     the mark is armed: the take that uses up a slot below it wakes the padder
//	the ring is empty    a take finds that, and calls Help, which has what the padder has: the
//	                     critical section; it wakes the padder after it, for the timer of what it put
//
// A take may find the ring empty while the padder puts: Help then waits for the critical
// section, and finds a ring that is full.
//
// # States
//
//	        ┌────── a take asks, or the schedule's time ────┐
//	        ▼                                               │
//	┌───────────────┐  the ring is full            ┌────────┴───────┐
//	│ mint and put  │ ───────────────────────────▶ │ sleep          │
//	│ (one critical │                              │ until woken    │
//	│  section)     │  next may not be minted yet  ├────────────────┤
//	│               │ ───────────────────────────▶ │ pause          │
//	└───────────────┘                              │ until it may   │
//	        ▲                                      └────────┬───────┘
//	        └────── MaxAhead's time, or the grant grew ─────┘
//
// Minting and putting are one critical section, so the ring holds ticks in order
// and no tick is minted twice:
//
//	every tick in the ring <= last, and each tick is minted at most once
package padding
