package store

import "time"

// View is the state of a pool, now or at some earlier moment. A stale view is harmless: a
// write that builds on it is not applied.
type View struct {
	Pool

	// Head is zero where it is missing. In a store that keeps what it acknowledged, it has the
	// Slack alone: the largest of the pool's rows, also of those that the view does not show.
	Head

	Server string        // the incarnation of the server now; equal to Epoch where nothing was lost
	Now    time.Time     // the store's clock, or, where that cannot be read, the reader's own
	Grain  time.Duration // the store's clock showed Now or up to this later; 0: not read
	Keys   int64         // worker.Disposable gave out those up to it; -1: none yet; 0: it has no table
	Rows   []Row         // in the order of their worker ids

	// Unreadable names the rows, of any layout, that something else wrote, or another version. The
	// view does not show them. It wraps ErrStore.
	Unreadable error

	Clocks time.Duration // how far the store's clocks may differ, if the claim does not say
	// Alone is how long a server may continue to grant after the one that takes its place has
	// received its last write.
	Alone time.Duration

	// Others are the pools of other layouts in the same place, each with its row that was granted
	// furthest ahead.
	Others map[Pool]Row

	// CreateRate is how many rows a second all processes together may create, in a store that creates
	// them one by one. They are created alongside the work of the processes that use them. If it
	// is 0, all rows of a claim are created and opened at once.
	CreateRate int
}
