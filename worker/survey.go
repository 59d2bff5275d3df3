package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/worker/store"
)

// survey reads rows until it has a valid view: one whose epoch is the server's, and whose
// floor lies above everything that the store may have lost. It is a part of a step
// function: given the answer to a call, it returns the next call.
type survey struct {
	first, last int64
	views       int        // how many were read
	view        store.View // the last one
	repair      call       // that the last one requires; nil: a view is awaited
}

// mostViews bounds how often the rows are read again after a repair.
const mostViews = 4

var errUnstable = fmt.Errorf("%w: its server or its floor keeps changing", ErrStore)

// begin is the first call of a survey.
func (s *survey) begin(c *Claim, first, last int64) call {
	*s = survey{first: first, last: last}
	return s.again(c)
}

func (s *survey) again(c *Claim) call {
	s.views++
	s.repair = nil
	return lookup{c.Namespace, s.first, s.last}
}

// awaitsView reports whether the next answer is a view.
func (s *survey) awaitsView() bool { return s.repair == nil }

// next returns the call to make after this answer. When there is none, the view is valid,
// or err says why there is no valid view.
func (s *survey) next(c *Claim, a answer) (call, error) {
	var err error
	if s.awaitsView() {
		s.view = a.view
		if s.repair, err = c.needs(a.view, a.err); err != nil || s.repair == nil {
			return nil, err
		}
		return s.repair, nil
	}
	// The namespace was changed, by this process or by another.
	if err := c.repaired(s.repair, s.view, a); err != nil {
		return nil, err
	}
	if s.views == mostViews {
		return nil, errUnstable
	}
	return s.again(c), nil
}

// needs returns the call that has to repair the namespace before a view may be used, nil
// for none. failed is the error that came with the view.
//
// A server of another incarnation than the one that the floor was set for may have lost
// acknowledged writes: the first process to notice raises the floor above everything that
// those may have granted (I7). A process that sees the store go back in time within one
// incarnation does the same (I12).
func (c *Claim) needs(v store.View, failed error) (call, error) {
	switch {
	case errors.Is(failed, ErrRolledBack) && v.Name != "": // a store that noticed by itself
		c.rollback.note(v.Fingerprint, v.Floor, noTick)
	case failed != nil:
		return nil, failed
	}
	if floor, due := c.rollback.floorFor(v, c.Slack); due {
		return quarantine{v.Name, floor}, nil
	}
	if r, due := v.Raise(c.Slack); due {
		return raise{r}, nil
	}
	return nil, nil
}

// repaired logs the outcome of a repair of what v showed, or returns why it failed.
func (c *Claim) repaired(q call, v store.View, a answer) error {
	switch q := q.(type) {
	case quarantine:
		if a.err != nil {
			return fmt.Errorf("%w: the floor of %q has to be raised before anybody takes a worker id, "+
				"and that failed: %w; "+
				"retrying; `uidbench worker quarantine --now` does it too", ErrRolledBack, v.Name, a.err)
		}
		c.Logger.Warn("the store went back in time; raised the namespace's floor above all grants "+
			"that may be lost",
			"namespace", v.Name, "granted_again_from", v.Start(q.floor-v.Window))
	case raise:
		if a.err != nil {
			return fmt.Errorf("the store failed over or restarted, and raising the floor of %q above all "+
				"grants that may be lost failed: %w", v.Name, a.err)
		}
		if a.applied { // else somebody was faster, as the next view shows
			c.Logger.Warn("the store failed over or restarted; raised the namespace's floor above all "+
				"grants that may be lost",
				"namespace", v.Name, "was", v.Epoch, "is", v.Server)
		}
	}
	return nil
}

// view makes a whole survey.
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
