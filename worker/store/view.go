package store

import "time"

// What a view says about its rows is worked out here, for leases, for the command's list
// and for freeing a row alike.

// MaxHigh is the last tick that may be granted now: one window after the store's clock (I6).
func (v View) MaxHigh() int64 { return v.TickAt(v.Now) + v.Window }

// SafeFloor is the lowest floor above everything that can have been granted until now,
// even by a clock that was ahead by slack.
func (v View) SafeFloor(slack time.Duration) int64 {
	return v.MaxHigh() +
		SlackTicks(slack, v.Unit)
}

// Next is the first tick that the next holder of a row may be granted (I5, I7).
func (v View) Next(r Row) int64 { return max(r.High+1, v.Floor) }

// Live reports whether the row is held and its lease has not expired.
func (v View) Live(r Row) bool { return r.Held && r.Expires.After(v.Now) }

// Parked reports whether nothing of the row can be granted now, since its next tick lies
// above MaxHigh. By the store's clock, it can be from until on.
func (v View) Parked(r Row) (until time.Time, parked bool) {
	next := v.Next(r)
	return v.Start(next - v.Window), next > v.MaxHigh()
}

// Raise returns the change that begins a new epoch, and false when none is due, since the
// server is the one that the floor was set for.
func (v View) Raise(slack time.Duration) (r Raise, due bool) {
	return Raise{Namespace: v.Name, Epoch: v.Epoch, Floor: v.Floor, Margin: SlackTicks(slack, v.Unit)},
		v.Server != v.Epoch
}
