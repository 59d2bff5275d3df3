package store

import "time"

// Pool names the worker ids of one layout in one place: a table, a key prefix, a
// Kubernetes namespace. Rows are named by the layout and the worker id, so whoever uses one
// layout in one place shares its worker ids.
type Pool struct {
	Layout string        // the layout's fingerprint
	Unit   time.Duration // of a tick, whole milliseconds
}

// Window is how many ticks a grant may end after the store's clock: one minute, or two
// ticks where these are longer. It is a part of the protocol: a row that is new begins this
// far ahead of the clock, because no older grant can reach further.
func (p Pool) Window() int64 { return max(2, int64(time.Minute/p.Unit)) }

// SlackTicks is slack in ticks, rounded up: a clock that is behind another one by slack shows
// at most this many ticks less.
func (p Pool) SlackTicks(slack time.Duration) int64 { return int64((slack + p.Unit - 1) / p.Unit) }

// Opening is the High of a row that is opened at now: nobody can have been granted more
// with an earlier row of its worker id, even by a clock that was ahead by slack.
func (p Pool) Opening(now time.Time, slack time.Duration) int64 {
	return p.TickAt(now) + p.Window() + p.SlackTicks(slack)
}

// TickAt is the tick that holds t, counted from the Unix epoch.
func (p Pool) TickAt(t time.Time) int64 {
	ms, unit := t.UnixMilli(), p.Unit.Milliseconds()
	if ms%unit < 0 {
		return ms/unit - 1
	}
	return ms / unit
}

// Start is a tick's first instant, or the end of the year 9999 for a later one.
func (p Pool) Start(tick int64) time.Time {
	const end = 253402300800000 // ms
	unit := p.Unit.Milliseconds()
	return time.UnixMilli(min(tick, end/unit) * unit).UTC()
}
