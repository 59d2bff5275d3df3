package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/worker/store"
)

// mostLooks bounds how often a view is asked for anew, because of what it called for.
const mostLooks = 4

// view reads rows in an epoch and above a floor on which may be built.
func (c Claim) view(ctx context.Context, s Store, first, last int64) (store.View, error) {
	for range mostLooks {
		v, err := c.look(ctx, s, first, last)
		again, err := c.mend(ctx, s, v, err)
		if err != nil {
			return store.View{}, err
		}
		if !again {
			return v, nil
		}
	}
	return store.View{}, errRestless
}

var errRestless = fmt.Errorf("%w: its server or its floor changes faster than it can be asked", ErrStore)

// mend does what a view, or the error that came with it, calls for before anything
// is built on it. again: it must be asked for anew, since this process or another
// has changed the namespace.
//
// When the server is another incarnation than the floor was set for, it may have
// lost what it acknowledged: the first to notice lifts the floor behind everything
// that the lost writes may have granted (I7). When the store went back in time
// without that, whoever was shown it does the same (I12).
func (c Claim) mend(ctx context.Context, s Store, v store.View, failed error) (again bool, err error) {
	switch {
	case errors.Is(failed, ErrRolledBack) && v.Name != "": // a store that noticed by itself
		c.past.distrust(v.Floor, noTick)
	case failed != nil:
		return false, failed
	}
	if floor, due := c.past.behind(v, c.Slack); due {
		return true, c.quarantine(ctx, s, v, floor)
	}
	r, due := v.Raise(c.Slack)
	if !due {
		return false, nil
	}
	applied, err := c.raise(ctx, s, r)
	if err != nil {
		return true, fmt.Errorf("the store's server is another one than before, and the floor of %q cannot be lifted behind all that may be lost: %w", v.Name, err)
	}
	if applied { // else somebody was faster, as the next view shows
		c.Logger.Warn("the store's server is another one than before; the floor was lifted behind all that may be lost",
			"namespace", v.Name, "was", v.Epoch, "is", v.Server)
	}
	return true, nil
}

func (c Claim) quarantine(ctx context.Context, s Store, v store.View, floor int64) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	if err := s.Quarantine(ctx, v.Name, floor); err != nil {
		return fmt.Errorf("%w: no worker id of %q is taken until its floor was lifted, and that failed: %w; "+
			"`uidbench worker quarantine --now` does it", ErrRolledBack, v.Name, err)
	}
	c.Logger.Warn("the floor of a namespace that went back in time was lifted behind all that may be lost",
		"namespace", v.Name, "granted_again_from", v.Start(floor-v.Window))
	return nil
}

// look is one View, in the time that a call may take.
func (c Claim) look(ctx context.Context, s Store, first, last int64) (store.View, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return s.View(ctx, c.Namespace, first, last)
}

// raise is one Raise, in the time that a call may take.
func (c Claim) raise(ctx context.Context, s Store, r store.Raise) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return s.Raise(ctx, r)
}

// write is one Write, in the time that a call may take. What the View before it took
// does not count: on a busy machine nothing would be left.
func (c Claim) write(ctx context.Context, s Store, w store.Write) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return s.Write(ctx, w)
}
