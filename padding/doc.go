// Package padding keeps a ring filled: one goroutine puts ids into it, has those dropped that
// are old, and sleeps while there is nothing to do. It is a part of package uid, which alone
// uses it: v1 does not cover its API.
//
//	var p padding.Padder
//	p.Start(mint, 0) // fills the ring
//	defer p.Close()
//
//	p.Wake() // a take has passed the ring's low-water mark
//
// It is Baidu's BufferPaddingExecutor with two changes. A wake-up is one word in a channel, not
// a task in a pool. And the padder knows neither the ring nor the clock nor the lease: when the
// ring is low, which ticks are minted, and which ids are old, is for the [Mint], which the
// generator builds from all three. Minting, putting and dropping are one critical section, so
// the ring holds ids in order and no tick is minted twice.
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
//	        └────── its time comes, or somebody wakes ──────┘
//
// Nobody is forgotten by a padder that sleeps without a timer:
//
//	the ring has ids     the mark is armed: the take that uses up a slot below it wakes the padder
//	the ring is empty    a take finds that, and calls Help, which has what the padder has: the
//	                     critical section; it wakes the padder after it, for the timer of what it put
//
// A take may find the ring empty while the padder puts: Help then waits for the critical
// section, and finds a ring that is full.
package padding
