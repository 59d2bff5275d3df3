// Package padding keeps a ring of ids full: one goroutine mints ticks, puts their ids
// into the ring, and sleeps while there are enough.
//
//	p := padding.New(mint, padding.Config{IDs: 8192, Slots: 256, Low: 128, ...})
//	defer p.Close()
//
//	p.Wake() // a take has passed the ring's low-water mark
//
// It knows neither the ring nor the lease: it drives a [Mint], which the generator
// builds from both.
//
// # The borrowed second
//
// Baidu's padder counts seconds of its own: at each refill it mints the next
// ones, whatever the clock says, so a burst borrows from the future, and an idle
// process gives out ids of long ago. Ours mints
//
//	next = max(last+1, now, the first tick that the lease grants)
//
// so that the ids of a busy process run ahead of the clock and those of an idle
// one follow it. Three bounds hold next in: the layout's last tick, what the
// lease grants, and MaxAhead, or the clock itself where nothing may be borrowed. At
// any of them the padder pauses, and goes on by itself when it may.
//
// A tick that does not fit into the ring is kept and put on next time, unless
// RejectPut says otherwise; Baidu's drops it, a fifth of its ids when quiet.
//
// # Old ids
//
// The ring is a window that moves with the clock. Ids are old when their tick ended
// half of MaxLag ago, or as soon as it is over where a tick is longer than that.
// They are replaced slot by slot: a newer one is put, an old one goes. So a full
// ring stays full, what is taken next is of the present tick or one that ended not
// more than MaxLag ago, and when nothing newer may be minted, as the store of the
// lease is away, nothing goes. Ids that were taken as a span and not handed out
// expire as soon as newer ones are in the ring. All that is done on a timer of the
// padder's own: a take reads no clock.
//
// # States
//
//	        ┌────── low water, or the schedule's time ──────┐
//	        ▼                                               │
//	┌───────────────┐  the ring is full            ┌────────┴───────┐
//	│ mint and put  │ ───────────────────────────▶ │ sleep          │
//	│ (one critical │                              │ until woken    │
//	│  section)     │  next may not be minted yet  ├────────────────┤
//	│               │ ───────────────────────────▶ │ pause          │
//	└───────────────┘                              │ until it may   │
//	        ▲                                      └────────┬───────┘
//	        └────── MaxAhead's time, or the grant moved ────┘
//
// Minting and putting are one critical section, so the ring holds ticks in order
// and no tick is minted twice:
//
//	every tick in the ring <= last, and each tick is minted at most once
package padding
