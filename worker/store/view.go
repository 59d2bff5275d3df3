package store

import "time"

// What a view says about its rows is worked out here, once for leases, for the command's
// list and for whoever frees a row.

// Horizon is the last tick that may be granted now (I6).
func (v View) Horizon() int64 { return v.TickAt(v.Now) + v.Window }

// Behind is the first tick behind everything that can have been granted until now,
// also by clocks that were ahead by slack.
func (v View) Behind(slack time.Duration) int64 { return v.Horizon() + SlackTicks(slack, v.Unit) }

// Next is the first tick that the next holder of a row may be granted (I5, I7).
func (v View) Next(r Row) int64 { return max(r.High+1, v.Floor) }

// Live: somebody holds the row, and it is not yet time to take it over.
func (v View) Live(r Row) bool { return r.Held && r.Expires.After(v.Now) }

// Parked: nothing of the row can be granted now, since its next tick lies behind
// the horizon. It can be from until on, by the store's clock.
func (v View) Parked(r Row) (until time.Time, parked bool) {
	next := v.Next(r)
	return v.Start(next - v.Window), next > v.Horizon()
}

// Raise is the new epoch that a view calls for, or false when the server is the
// one that the floor was set for.
func (v View) Raise(slack time.Duration) (r Raise, due bool) {
	return Raise{Namespace: v.Name, Epoch: v.Epoch, Floor: v.Floor, Margin: SlackTicks(slack, v.Unit)}, v.Server != v.Epoch
}
