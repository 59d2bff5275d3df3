package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/worker/store"
)

// survey reads rows until there is a view that may be built on: in an epoch that is the
// server's, above a floor behind everything that may be lost. It is a part of a step
// function: told what came of a call, it says which one is next.
type survey struct {
	first, last int64
	views       int        // how many were asked for
	view        store.View // the last one
	mending     call       // what that one called for; nil: it is the view that is awaited
}

// mostViews bounds how often a view is asked for anew, because of what it called for.
const mostViews = 4

var errRestless = fmt.Errorf("%w: its server or its floor changes faster than it can be asked", ErrStore)

// begin is the first call of a survey.
func (s *survey) begin(c *Claim, first, last int64) call {
	*s = survey{first: first, last: last}
	return s.again(c)
}

func (s *survey) again(c *Claim) call {
	s.views++
	s.mending = nil
	return lookup{c.Namespace, s.first, s.last}
}

// awaitsView: the answer that comes is a view.
func (s *survey) awaitsView() bool { return s.mending == nil }

// next is the call to be made after this answer; when there is none, the view may be
// built on, or err says why there is no such view.
func (s *survey) next(c *Claim, a answer) (call, error) {
	var err error
	if s.awaitsView() {
		s.view = a.view
		if s.mending, err = c.mend(a.view, a.err); err != nil || s.mending == nil {
			return nil, err
		}
		return s.mending, nil
	}
	// This process or another has changed the namespace.
	if err := c.mended(s.mending, s.view, a); err != nil {
		return nil, err
	}
	if s.views == mostViews {
		return nil, errRestless
	}
	return s.again(c), nil
}

// mend is what a view, or the error that came with it, calls for before anything is
// built on it; nil for nothing.
//
// When the server is another incarnation than the floor was set for, it may have
// lost what it acknowledged: the first to notice lifts the floor behind everything
// that the lost writes may have granted (I7). When the store went back in time
// without that, whoever was shown it does the same (I12).
func (c *Claim) mend(v store.View, failed error) (call, error) {
	switch {
	case errors.Is(failed, ErrRolledBack) && v.Name != "": // a store that noticed by itself
		c.past.distrust(v.Floor, noTick)
	case failed != nil:
		return nil, failed
	}
	if floor, due := c.past.behind(v, c.Slack); due {
		return quarantine{v.Name, floor}, nil
	}
	if r, due := v.Raise(c.Slack); due {
		return raise{r}, nil
	}
	return nil, nil
}

// mended says what came of mending what v showed.
func (c *Claim) mended(q call, v store.View, a answer) error {
	switch q := q.(type) {
	case quarantine:
		if a.err != nil {
			return fmt.Errorf("%w: no worker id of %q is taken until its floor was lifted, and that failed: %w; "+
				"`uidbench worker quarantine --now` does it", ErrRolledBack, v.Name, a.err)
		}
		c.Logger.Warn("the floor of a namespace that went back in time was lifted behind all that may be lost",
			"namespace", v.Name, "granted_again_from", v.Start(q.floor-v.Window))
	case raise:
		if a.err != nil {
			return fmt.Errorf("the store's server is another one than before, and the floor of %q cannot be lifted behind all that may be lost: %w", v.Name, a.err)
		}
		if a.applied { // else somebody was faster, as the next view shows
			c.Logger.Warn("the store's server is another one than before; the floor was lifted behind all that may be lost",
				"namespace", v.Name, "was", v.Epoch, "is", v.Server)
		}
	}
	return nil
}

// view is a whole survey.
func (c *Claim) view(ctx context.Context, s Store, first, last int64) (store.View, error) {
	var reads survey
	for q := reads.begin(c, first, last); q != nil; {
		var err error
		if q, err = reads.next(c, c.do(ctx, s, q)); err != nil {
			return store.View{}, err
		}
	}
	return reads.view, nil
}
