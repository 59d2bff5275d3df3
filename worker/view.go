package worker

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// mostViews bounds how often the rows are read again after a repair.
const mostViews = 4

var errUnstable = fmt.Errorf("%w: its server or its rows keep changing", ErrStore)

// view reads rows until it has a valid view: one whose epoch is the server's, of rows about
// which there is no doubt. saw is called with each view, before any repair; nil: nobody is.
func (p *caller) view(first, last int64, saw func(store.View)) (store.View, error) {
	for range mostViews {
		v, err := p.read(first, last)
		if err != nil {
			return v, err
		}
		if saw != nil {
			saw(v)
		}
		if repaired, err := p.repair(v); err != nil || !repaired {
			return v, err
		}
	}
	return store.View{}, errUnstable
}

func (p *caller) read(first, last int64) (v store.View, err error) {
	err = p.call(func(ctx context.Context) error {
		v, err = p.store.View(ctx, p.need.pool(), first, last)
		return err
	})
	return v, err
}

// repair makes the call without which a view may not be used, and reports whether there was
// one. The pool was changed then, by this process or by another.
//
// A server of another incarnation than the one that the floor was set for may have lost
// acknowledged writes: the first process to notice raises the floor above everything that
// those may have granted (I7). A process that sees rows go back in time within one
// incarnation deletes them (I12): rows that are created later begin above everything that
// was granted before.
func (p *caller) repair(v store.View) (repaired bool, err error) {
	if proof, doubt := p.c.doubts.Load(v.Layout); doubt {
		if err := p.delete(v.Layout); err != nil {
			return false, fmt.Errorf("%w: the rows of the layout have to be deleted before anybody takes "+
				"a worker id, and that failed: %w; `uidbench worker quarantine` does it too", ErrRolledBack,
				err)
		}
		// A proof that came since then may be of something that was lost later.
		p.c.doubts.CompareAndDelete(v.Layout, proof)
		p.c.Logger.Warn("the store went back in time; deleted the layout's rows: new ones begin above "+
			"everything that may have been lost", "layout", layoutName(v.Layout))
		return true, nil
	}
	if !p.c.unheaded(v) {
		return false, nil
	}
	raised, err := p.raise(v.Epoch, v.Floor, grants.Ahead(v.Pool, p.c.slack(v))+1)
	if err != nil {
		return false, fmt.Errorf("reserving the time up to which grants may be lost: %w", err)
	}
	if raised && v.Epoch != "" { // else somebody was faster, or the pool is new
		p.c.Logger.Warn("the store failed over or restarted; grants begin above everything that may "+
			"have been lost", "layout", layoutName(v.Layout), "was", v.Epoch, "is", v.Server)
	}
	return true, nil
}

// unheaded reports whether the pool needs a head of its server before a view of it may be used.
// A claim that creates nothing makes none in an empty place: there is no row that it could
// renew or take.
func (c *Claim) unheaded(v store.View) bool {
	empty := v.Epoch == "" && len(v.Rows) == 0
	return v.Server != v.Epoch && !(empty && c.ExistingOnly)
}

// slack is how far the clocks of the store may differ: what the claim says, or the store.
func (c *Claim) slack(v store.View) time.Duration {
	return cmp.Or(c.Slack, v.Slack, grants.DefaultSlack)
}

// place reads the rows of the claim, in a place that is the layout's alone: rows of other
// layouts that are no longer in use are deleted.
func (p *caller) place() (store.View, error) {
	first, last := p.c.First, p.c.Last
	if first == 0 && last == 0 {
		last = p.need.MaxID
	}
	for {
		v, err := p.view(first, last, nil)
		if err != nil {
			return v, fmt.Errorf("worker: reading worker ids: %w", err)
		}
		if err := p.c.serves(p.at, p.at.mono-p.asked, v, p.need); err != nil {
			return v, err
		}
		others, err := p.c.others(v)
		if err != nil || !others {
			return v, err
		}
		if err := p.delete(""); err != nil {
			return v, fmt.Errorf("worker: deleting the rows of layouts that are no longer in use: %w", err)
		}
		if p.cleared++; p.cleared > 1 {
			// Somebody else begins with another layout: without random pauses, each would delete
			// the other's rows before they are open, for ever.
			if err := p.pause(backOff(p.cleared, p.at.nonce)); err != nil {
				return v, fmt.Errorf("worker: deleting the rows of other layouts: %w", err)
			}
		}
	}
}
