// Package grants says which ticks may be granted with the rows that a view of a store shows.
// Package worker and the command use it; a store only keeps what it is given.
package grants

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// DefaultSlack bounds how far the clocks of a store may differ, if neither the claim nor the
// store sets a bound.
const DefaultSlack = 5 * time.Second

// Start returns a tick's first instant, or the end of the year 9999 for a later one.
func Start(p store.Pool, tick int64) time.Time {
	const end = 253402300800000 // ms
	unit := p.Unit.Milliseconds()
	return time.UnixMilli(min(tick, end/unit) * unit).UTC()
}

// Ahead returns how many ticks after the store's clock the last tick that was ever granted may
// lie, if the clock by which it was granted was ahead by slack.
func Ahead(p store.Pool, slack time.Duration) int64 {
	return p.Window() + ticks(p, slack)
}

// ticks returns how many ticks a duration has, rounded up.
func ticks(p store.Pool, d time.Duration) int64 { return int64(d/p.Unit + min(d%p.Unit, 1)) }

// Opening returns the High of a row that is opened at now: no process can have been granted
// more with an earlier row of its worker id, even by a clock that was ahead by slack.
func Opening(p store.Pool, now time.Time, slack time.Duration) int64 {
	return p.TickAt(now) + Ahead(p, slack)
}

// Last returns the last tick that may be granted now: one window after the store's clock (I6).
func Last(v store.View) int64 { return v.TickAt(v.Now) + v.Window() }

// Next returns the first tick that the next holder of a row may be granted (I5, I7). A row that
// was opened by a smaller slack than the pool's began too low by the difference. Above the
// highest possible tick, which somebody may have written into a row, there is none: the sum wraps.
func Next(v store.View, r store.Row) int64 {
	missing := int64(0)
	if v.Server == "" { // else the floor was raised with the slack
		missing = ticks(v.Pool, max(0, v.Slack-r.Slack))
	}
	return max(r.High, r.High+1+missing, v.Floor)
}

// Furthest returns of the rows that are ahead the one that was granted furthest.
func Furthest(v store.View) (far store.Row, ahead bool) {
	for _, r := range v.Rows {
		if IsAhead(v, r) && (!ahead || r.High > far.High) {
			far, ahead = r, true
		}
	}
	return far, ahead
}

// IsAhead reports whether a row that was created now could begin below the High of r, which proves
// that the store's clock was ahead. If r was deleted, ticks could be granted twice.
func IsAhead(v store.View, r store.Row) bool {
	slack := v.Slack
	if r.Renewed.IsZero() { // High is the slack above what may have been granted with earlier rows
		slack += v.Slack + late
	} else if v.Server == "" { // v.Now is not exact
		slack += late
	}
	return r.Open && r.High > max(Opening(v.Pool, v.Now, slack), v.Floor-1)
}

// late bounds how much earlier a view's clock may be than that of another process's call, which
// allows for the time until the answer.
const late = 5 * time.Second

// Live reports whether the row is held and its lease has not expired.
func Live(v store.View, r store.Row) bool { return r.Held && r.Expires.After(v.Now) }

// NotBefore reports whether nothing of the row can be granted now, since its next tick lies above
// Last. By the store's clock, that tick can be granted from until on.
func NotBefore(v store.View, r store.Row) (until time.Time, later bool) {
	next := Next(v, r)
	return Start(v.Pool, next-v.Window()), next > Last(v)
}

// Deleted returns an error if a view shows a row that an earlier view shows, of any layout if all
// is set, although the store has said since then that it was deleted.
func Deleted(was, is store.View, all bool) error {
	if !all {
		was.Others = nil
	}
	old := slices.AppendSeq(slices.Clip(was.Rows), maps.Values(was.Others))
	for _, r := range slices.AppendSeq(slices.Clip(is.Rows), maps.Values(is.Others)) {
		if slices.ContainsFunc(old, func(o store.Row) bool { return o.Nonce == r.Nonce }) {
			return fmt.Errorf("%w: it said that it deleted worker id %d, whose row is still there: look "+
				"for row level security, a trigger or a finalizer that keeps it", store.ErrStore, r.Worker)
		}
	}
	return nil
}
