package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// QuarantineOptions say what an operator knows that the store does not. The zero value knows
// nothing.
type QuarantineOptions struct {
	// Newest says that no process runs that makes ids, and that no id exists that has a later time,
	// in any table: see uid.Layout.Parse. Then the pools begin anew: with worker ids that a wrong
	// clock had blocked, and with the Slack of the first claim. Zero: not known.
	Newest time.Time

	// Unreadable deletes rows that cannot be read, too. Nobody knows how far they were granted.
	Unreadable bool
}

// Quarantined says what a [Quarantine] has deleted.
type Quarantined struct {
	Pools      []store.View // as they were
	Unreadable error        // names the rows that could not be read, if there were any
	Begin      time.Time    // ids that are made with new rows have this time or a later one
}

// Quarantine deletes the rows of all layouts in a place. Ids that are made with new rows lie above
// all that was made before, so this makes a store safe that was restored from a backup, or that
// lost rows. Call it before any process starts: restore, quarantine, start. Processes that are
// running use up what they were granted and take new rows.
//
// New rows begin a window and the slack after the store's clock. If a row was granted further,
// the clock was ahead, and ids may have been made there. Then nothing is deleted, and the error,
// which wraps [ErrClock], says from when on such a row is taken again. Or the operator finds out
// how far ids really were made: see QuarantineOptions.Newest.
//
// The error wraps [ErrNoRows] where there is nothing to delete, [ErrClock], [ErrStore] for rows
// that cannot be read, or that the store keeps although it says that they were deleted, or the
// store's error.
func Quarantine(ctx context.Context, s store.Store, o QuarantineOptions) (Quarantined, error) {
	if s == nil {
		return Quarantined{}, errNoStore
	}
	c := Claim{guest: true}.withDefaults()
	p := c.caller(ctx, s, Need{Unit: time.Millisecond})
	// Settings that may lose worker ids are no reason to keep them.
	if _, err := call(&p, 1, s.Check); err != nil && !errors.Is(err, ErrStore) {
		return Quarantined{}, err
	}
	return p.quarantine(o)
}

func (p *caller) quarantine(o QuarantineOptions) (q Quarantined, err error) {
	place, err := p.read(0, -1)
	if err != nil {
		return q, err
	}
	q.Unreadable = place.Unreadable
	if err := p.agree(place); err != nil {
		return q, err
	}
	for pool := range place.Others {
		p.need = Need{Unit: pool.Unit, Fingerprint: pool.Layout}
		v, err := p.read(0, math.MaxInt64)
		switch {
		case errors.Is(err, ErrStore): // its head cannot be read
			v.Unreadable = err
		case err != nil:
			return q, err
		default:
			q.Pools = append(q.Pools, v)
		}
		q.Unreadable = errors.Join(q.Unreadable, v.Unreadable)
	}
	if q.Unreadable != nil && !o.Unreadable {
		return q, fmt.Errorf("%w; nothing was deleted: how far this was granted is not known; stop all "+
			"processes, then `ringuid worker quarantine --store URL --unreadable` deletes it, too", q.Unreadable)
	}
	// Without their heads, the pools begin anew.
	forget := q.Unreadable != nil || !o.Newest.IsZero()
	// Any new pool begins a minute after the store's clock or later, as this one does. Heads without
	// rows are not seen, and are forgotten too.
	unseen := store.View{Pool: place.Pool, Now: place.Now}
	for _, v := range append(q.Pools, unseen) {
		begin, err := o.begin(v, forget)
		if err != nil {
			return q, err
		}
		q.Begin = later(q.Begin, begin)
	}
	found := len(q.Pools) > 0 || q.Unreadable != nil
	if raiser, headed := p.store.(store.Raiser); headed && forget {
		forgot, err := call(p, 10, raiser.Forget)
		if err != nil {
			return q, err
		}
		found = found || forgot
	}
	if !found {
		return q, ErrNoRows
	}
	return q, p.delete("", q.Pools...)
}

// begin returns when a pool begins whose rows are deleted now, or an error that says why they may
// not be deleted, and until when.
func (o QuarantineOptions) begin(v store.View, forget bool) (time.Time, error) {
	// A floor that is ahead shows the same as a row: what was granted may end there.
	v.Rows = append(slices.Clone(v.Rows), store.Row{Open: true, High: v.Floor - 1})
	if v.Floor = 0; forget {
		v.Slack = 0
	}
	begin := grants.Opening(v.Pool, v.Now, v.Slack) + 1
	switch far, ahead := grants.Furthest(v); {
	case !o.Newest.IsZero() && v.TickAt(o.Newest) >= begin:
		return time.Time{}, fmt.Errorf("%w: the newest id is of %s, and the first new one would be of "+
			"%s. Nothing was deleted. Keep the processes stopped, and do this again at %s", ErrClock,
			stamp(o.Newest), stamp(grants.Start(v.Pool, begin)),
			stamp(grants.Start(v.Pool, v.TickAt(o.Newest)-v.Window())))
	case o.Newest.IsZero() && ahead:
		again := later(grants.Start(v.Pool, far.High+1-v.Window()), far.Expires)
		return time.Time{}, fmt.Errorf("%w: the store's clock was ahead: ids of layout %s may have been "+
			"made until %s, and those of new rows would begin before that. Nothing was deleted. Correct "+
			"the clock, which shows %s; nothing else has to be done: all worker ids are taken again from "+
			"%s on. To use them earlier, stop all processes that make ids, look for the largest id in all "+
			"tables, and type `ringuid worker quarantine --store URL --newest ID`", ErrClock,
			layoutName(v.Layout), end(v.Pool, far.High), stamp(v.Now), stamp(again))
	}
	return grants.Start(v.Pool, begin), nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
