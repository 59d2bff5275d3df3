package store

import "time"

// Pool names the worker ids of one layout in one place: a table, a key prefix, a Kubernetes
// namespace. Rows are named by the layout and the worker id, so all processes that use one
// layout in one place share its worker ids.
type Pool struct {
	Layout string        // the layout's fingerprint
	Unit   time.Duration // of a tick, whole milliseconds
}

// Window returns how many ticks after the store's clock a grant may end: as many as a minute
// has, but at least two. It is a part of the protocol: a new row begins this far plus the slack
// ahead of the clock, because no older grant can reach further.
func (p Pool) Window() int64 { return max(2, int64(time.Minute/p.Unit)) }

// TickAt returns the tick that contains t, counted from the Unix epoch.
func (p Pool) TickAt(t time.Time) int64 {
	ms, unit := t.UnixMilli(), p.Unit.Milliseconds()
	if ms%unit < 0 {
		return ms/unit - 1
	}
	return ms / unit
}

// Head is what a pool has besides its rows.
type Head struct {
	// Epoch is the incarnation of the server that Floor was set for. Every grant of that epoch
	// begins at Floor or above.
	Epoch string
	Floor int64

	// Slack bounds by how much the clock that a later grant is based on can be behind the clock of
	// an earlier one, which the store lost or somebody deleted.
	Slack time.Duration
}
