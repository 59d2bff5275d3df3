// Package padding keeps a ring filled: one goroutine puts ids into it, has old ones dropped,
// and sleeps while there is nothing to do. It is part of package uid, its only user: v1 does
// not cover its API.
//
//	var p padding.Padder
//	p.Start(ctx, mint, 0) // refills the ring when it is woken, until ctx ends
//
//	p.Wake() // a take has passed the ring's low-water mark
//
// It is Baidu's BufferPaddingExecutor with two changes. A wake-up is one word in a channel, not
// a task in a pool. And the padder knows neither the ring nor the clock nor the lease: the
// [Mint], which the generator builds from all three, decides when the ring is low, which ticks
// are minted, and which ids are old. Minting, putting and dropping are one critical section,
// so the ring holds ids in order and no tick is minted twice.
//
//	        ┌────── a take asks, or the schedule's time ────┐
//	        ▼                                               │
//	┌───────────────┐  the ring is full            ┌────────┴───────┐
//	│ put           │ ───────────────────────────▶ │ sleep          │
//	│ (one critical │                              │ until woken    │
//	│  section)     │  no tick may be minted yet   ├────────────────┤
//	│               │ ───────────────────────────▶ │ pause          │
//	└───────────────┘                              │ until it may   │
//	        ▲                                      └────────┬───────┘
//	        └────── its time comes, or it is woken up ──────┘
//
// A padder that sleeps without a timer forgets no take:
//
//	the ring has ids     the mark is armed: the take that uses up a slot below it wakes the padder
//	the ring is empty    a take finds that, and makes its id itself or refills the ring, in the
//	                     padder's critical section; then it wakes the padder, to set a timer for
//	                     what was put
//
// A take may find the ring empty while the padder puts: it then waits for the critical section,
// and finds a ring that is full.
package padding
