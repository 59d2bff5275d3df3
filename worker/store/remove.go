package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// A Remover is a Store that can take a namespace away, for whoever looks after it.
type Remover interface {
	Store

	// Remove takes away a namespace and its rows. It is the function Remove on the
	// store's Catalog, so that all stores decide alike: it wraps ErrHeld while somebody
	// holds a worker id, unless that is forced, and ErrNoNamespace when there is none.
	Remove(ctx context.Context, namespace string, o RemoveOptions) error
}

// RemoveOptions are the choices of whoever takes a namespace away.
type RemoveOptions struct {
	// Held takes it away although worker ids are held. Their holders use up what was
	// granted to them, and then have no worker id.
	Held bool

	// Slack bounds how far two clocks of the store may differ. Zero is none, as in
	// InitOptions; the command passes worker.DefaultSlack.
	Slack time.Duration
}

// A Deleter is a Catalog that can take back what Make made.
type Deleter interface {
	Catalog

	// Delete deletes a namespace with all rows of its name, if at that instant it is still
	// have, the floor included. From then on no write to its rows is applied. A store that
	// could take a late write to a row for one to the row that is made in its place leaves
	// the rows; these say which unit they are counted in.
	Delete(ctx context.Context, have Namespace) (deleted bool, err error)
}

// Remove is Remover.Remove of the store s, whose catalog is c. What may have been granted
// outlives the namespace in the record of the layout: first all that its rows show, then,
// when nothing can be granted any more, the horizon of that moment. So whoever gets these
// worker ids next begins behind it, however the rows and the clock look by then. If it is
// broken off, the namespace is there, or it is gone and Init begins a window from its now.
func Remove(ctx context.Context, s Store, c Deleter, name string, o RemoveOptions) error {
	var was View
	for range attempts {
		v, err := s.View(ctx, name, 0, math.MaxInt64)
		switch {
		case errors.Is(err, ErrNoNamespace) && was.Name != "": // our own doing, or that of another
			return closeOff(ctx, c, was.Namespace, o)
		case err != nil:
			return err
		}
		if err := v.idle(o); err != nil {
			return err
		}
		if err := record(ctx, c, v.Namespace, v.end()); err != nil {
			return err
		}
		was = v
		deleted, err := c.Delete(ctx, v.Namespace)
		if err != nil {
			return err
		}
		if deleted {
			return closeOff(ctx, c, was.Namespace, o)
		}
	}
	return fmt.Errorf("worker: removing %q: it keeps changing: try again", name)
}

// idle is an error that wraps ErrHeld when somebody would lose his worker id.
func (v View) idle(o RemoveOptions) error {
	held := 0
	owner := ""
	for _, row := range v.Rows {
		if v.Live(row) {
			held, owner = held+1, row.Owner
		}
	}
	if held == 0 || o.Held {
		return nil
	}
	return fmt.Errorf("%w: %d of the worker ids of %q are, one of them by %q: stop their holders, "+
		"or wait until their leases have run out", ErrHeld, held, v.Name, owner)
}

// end is when all is over that the rows and the floor show of what was granted.
func (v View) end() time.Time {
	next := v.Floor
	for _, row := range v.Rows {
		next = max(next, v.Next(row))
	}
	return v.Start(next)
}

// record notes that nothing is granted before a time with worker ids of a namespace's
// layout that are made from now on. It always changes the record, so that an Init that is
// under way begins again, and makes no rows for what is about to go.
func record(ctx context.Context, c Catalog, n Namespace, until time.Time) error {
	text, s, err := recall(ctx, c, n, n, InitOptions{})
	if err != nil {
		return err
	}
	if text == "" { // as long as n is there, it is among those that are known
		if _, err := c.ReplaceSpace(ctx, n.Fingerprint, "", s.Text()); err != nil {
			return err
		}
	}
	return update(ctx, c, n, func(s Space) Space {
		s.GrantedUntil = max(s.GrantedUntil, until.UnixMilli())
		s.Changes++
		return s
	})
}

// closeOff ends what Delete began: what was granted until then is not known.
func closeOff(ctx context.Context, c Deleter, n Namespace, o RemoveOptions) error {
	now, shared, err := c.Clock(ctx)
	if err != nil {
		return err
	}
	window := time.Duration(n.Window) * n.Unit
	if !shared { // as in startOf
		window *= 2
	}
	end := n.TickAt(now.Add(window)) + SlackTicks(o.Slack, n.Unit)
	return record(ctx, c, n, n.Start(end))
}
