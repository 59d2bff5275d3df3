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
	Keys   int64         // worker ids up to this one were given out by worker.Disposable; 0: none
	Rows   []Row         // in the order of their worker ids
	Others []Other       // pools of other layouts in the same place
}

// Other is a pool of another layout, and its row that was granted furthest ahead.
type Other struct {
	Pool
	Rows int // how many it has
	Row
}

// MaxHigh is the last tick that may be granted now: one window after the store's clock (I6).
func (v View) MaxHigh() int64 { return v.TickAt(v.Now) + v.Window() }

// Next is the first tick that the next holder of a row may be granted (I5, I7).
func (v View) Next(r Row) int64 { return max(r.High+1, v.Floor) }

// Live reports whether the row is held and its lease has not expired.
func (v View) Live(r Row) bool { return r.Held && r.Expires.After(v.Now) }

// Parked reports whether nothing of the row can be granted now, since its next tick lies
// above MaxHigh. By the store's clock, it can be from until on.
func (v View) Parked(r Row) (until time.Time, parked bool) {
	next := v.Next(r)
	return v.Start(next - v.Window()), next > v.MaxHigh()
}
