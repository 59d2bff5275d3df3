package store

import "time"

// View is the state of a pool, now or at some earlier moment. A stale view is harmless: a
// write that builds on it is not applied.
type View struct {
	Pool

	// Epoch is the incarnation of the server that Floor was set for; every grant of that
	// epoch begins at Floor or above. Both are zero in a store that keeps what it
	// acknowledged, and where the head is missing.
	Epoch string
	Floor int64

	Server string        // the incarnation of the server now; equal to Epoch where nothing was lost
	Now    time.Time     // the store's clock, or, where that cannot be read, the reader's own
	Slack  time.Duration // how far the store's clocks may differ, if the claim does not say
	Keys   int64         // worker.Disposable gave out those up to it; -1: none yet; 0: it has no table
	Rows   []Row         // in the order of their worker ids

	// Others are the pools of other layouts in the same place, each with its row that was granted
	// furthest ahead.
	Others map[Pool]Row

	// Pace is how many rows a second all processes together may create, in a store that creates
	// them one by one. They are created alongside the work of the processes that use them. If it
	// is 0, all rows of a claim are created and opened at once.
	Pace int
}
