package worker

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// survey reads rows until it has a valid view: one whose epoch is the server's, of rows
// about which there is no doubt. It is a part of a step function: given the answer to a
// call, it returns the next call.
type survey struct {
	look   lookup
	views  int        // how many were read
	view   store.View // the last one
	repair any        // the call that the last one requires; nil: a view is awaited
}

// mostViews bounds how often the rows are read again after a repair.
const mostViews = 4

var errUnstable = fmt.Errorf("%w: its server or its rows keep changing", ErrStore)

// begin is the first call of a survey.
func (s *survey) begin(p store.Pool, first, last int64) any {
	*s = survey{look: lookup{p, first, last}, views: 1}
	return s.look
}

// next returns the call to make after this answer. When there is none, the view is valid,
// or err says why there is no valid view.
func (s *survey) next(c *Claim, a answer) (call any, err error) {
	if s.repair == nil {
		s.view = a.view
		if a.err == nil {
			s.repair = c.needs(a.view)
		}
		return s.repair, a.err
	}
	// The pool was changed, by this process or by another.
	if err := c.repaired(s.repair, s.view, a); err != nil {
		return nil, err
	}
	if s.views++; s.views > mostViews {
		return nil, errUnstable
	}
	s.repair = nil
	return s.look, nil
}

// needs returns the call that has to repair the pool before a view may be used, nil for
// none.
//
// A server of another incarnation than the one that the floor was set for may have lost
// acknowledged writes: the first process to notice raises the floor above everything that
// those may have granted (I7). A process that sees rows go back in time within one
// incarnation deletes them (I12): rows that are created later begin above everything that
// was granted before.
func (c *Claim) needs(v store.View) any {
	if proof, doubt := c.doubts.Load(v.Layout); doubt {
		return purge{v.Layout, proof.(error)}
	}
	if c.unheaded(v) {
		return raising{v.Pool, v.Epoch, v.Floor, grants.Ahead(v.Pool, c.slack(v)) + 1}
	}
	return nil
}

// unheaded reports whether the pool needs a head of its server before a view of it may be used.
// A claim that creates nothing makes none in an empty place: there is no row that it could
// renew or take.
func (c *Claim) unheaded(v store.View) bool {
	empty := v.Epoch == "" && len(v.Rows) == 0
	return v.Server != v.Epoch && !(empty && c.ExistingOnly)
}

// repaired logs the outcome of a repair of what v showed, or returns why it failed.
func (c *Claim) repaired(repair any, v store.View, a answer) error {
	switch q := repair.(type) {
	case purge:
		if a.err != nil {
			return fmt.Errorf("%w: the rows of the layout have to be deleted before anybody takes a "+
				"worker id, and that failed: %w; `uidbench worker quarantine` does it too", ErrRolledBack,
				a.err)
		}
		// A proof that came since then may be of something that was lost later.
		c.doubts.CompareAndDelete(q.layout, q.proof)
		c.Logger.Warn("the store went back in time; deleted the layout's rows: new ones begin above "+
			"everything that may have been lost", "layout", layoutName(q.layout))
	case raising:
		if a.err != nil {
			return fmt.Errorf("reserving the time up to which grants may be lost: %w", a.err)
		}
		if a.applied && v.Epoch != "" { // else somebody was faster, or the pool is new
			c.Logger.Warn("the store failed over or restarted; grants begin above everything that may "+
				"have been lost", "layout", layoutName(v.Layout), "was", v.Epoch, "is", v.Server)
		}
	}
	return nil
}

// slack is how far the clocks of the store may differ: what the claim says, or the store.
func (c *Claim) slack(v store.View) time.Duration {
	return cmp.Or(c.Slack, v.Slack, grants.DefaultSlack)
}
