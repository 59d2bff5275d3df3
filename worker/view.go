package worker

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// view reads rows until it has a valid view: one whose epoch is the server's, of rows about
// which there is no doubt. After four repairs it gives up. saw, if not nil, is called with
// each view, before any repair.
func (p *caller) view(first, last int64, saw func(store.View)) (store.View, error) {
	for range 4 {
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
	return store.View{}, fmt.Errorf("%w: its server or its rows keep changing, or a "+
		"trigger, rule or policy keeps its head from it; if the store is your own and its "+
		"views show a server, it needs a Raise", ErrStore)
}

func (p *caller) read(first, last int64) (store.View, error) {
	v, err := call(p, 1, func(ctx context.Context) (store.View, error) {
		return p.store.View(ctx, p.need.pool(), first, last)
	})
	if v.Server == "" && v.Epoch == "" { // else the head has it, and repair raises it
		v.Slack = p.c.slack(v)
	}
	return v, err
}

// repair makes the call without which a view may not be used, and reports whether one was
// needed: it deletes rows that went back in time (I12), or begins the epoch of another server
// (I7), or raises the pool's slack (I13). If so, the pool was changed, by this process or by
// another.
func (p *caller) repair(v store.View) (repaired bool, err error) {
	if proof, doubt := p.c.wentBack.Load(v.Layout); doubt {
		err := p.clear(v.Layout)
		if err != nil {
			return false, fmt.Errorf("%w: the rows of the layout have to be deleted before anybody takes "+
				"a worker id, and that failed: %w; correct this, or type `ringuid worker quarantine "+
				"--store URL` and restart this process",
				ErrRolledBack, err)
		}
		// A proof that arrived since then may be of something that was lost later.
		p.c.wentBack.CompareAndDelete(v.Layout, proof)
		p.c.Logger.Warn("the store went back in time; deleted the layout's rows: new ones begin above "+
			"everything that may have been lost", "layout", layoutName(v.Layout))
		return true, nil
	}
	slack := p.c.slack(v)
	if !p.c.unheaded(v) && (v.Epoch == "" || v.Slack >= slack) {
		return false, nil
	}
	// What is granted from now on lies above all that was granted, or opened, by a smaller slack.
	// Where a process still opens a row by the smaller one, it saw that row before the slack was
	// raised. What may have been granted with an earlier row of that worker id was granted before
	// that, too.
	if err := p.agree(v); err != nil {
		return false, err
	}
	raised, err := p.raise(v.Head, grants.Ahead(v.Pool, slack)+1, slack)
	switch {
	case err != nil:
		return false, fmt.Errorf("reserving the time up to which grants may be lost: %w", err)
	case !raised || v.Epoch == "": // another process was faster, or the pool is new
	case v.Server != v.Epoch:
		why := []string{"the store failed over, restarted or was restored",
			"servers raise the floor in turn: connect all processes to one, or ids end"}
		if v.Server != p.raised && v.Server != p.left { // else it did not restart since
			p.turns = 0
		}
		if p.turns < len(why) {
			p.c.Logger.Warn(why[p.turns]+"; grants begin above everything that may have been lost", "layout",
				layoutName(v.Layout), "was", v.Epoch, "is", v.Server)
		}
		p.raised, p.left, p.turns = v.Server, v.Epoch, p.turns+1
	default:
		p.c.Logger.Warn("this process allows the store's clocks to differ by more than others do; "+
			"from now on all allow for that", "layout", layoutName(v.Layout), "was", v.Slack, "is", slack)
	}
	return true, nil
}

// unheaded reports whether the pool needs a head for its server before a view of it may be
// used. A claim that creates no rows makes no head in an empty place: there is no row that it
// could renew or take.
func (c *Claim) unheaded(v store.View) bool {
	empty := v.Epoch == "" && len(v.Rows) == 0
	return v.Server != v.Epoch && !(empty && c.ExistingOnly)
}

// slack returns what the pool's slack has to be: it never falls, and allows for the clocks as
// this claim says, or else the store, and for a server that continues alone (I13).
func (c *Claim) slack(v store.View) time.Duration {
	if c.guest && c.Slack == 0 && v.Slack > 0 {
		return v.Slack
	}
	return max(v.Slack, cmp.Or(c.Slack, v.Clocks, grants.DefaultSlack)+v.Alone)
}

// agree returns an error if this machine's clock and that of the view which was just read are a
// window or more apart. A store that is slow to answer may have the right clock: the clock was
// read at some time during the call.
func (p *caller) agree(v store.View) error {
	skew := max(0, p.at.wall.Add(p.asked-p.at.mono).Sub(v.Now), v.Now.Sub(p.at.wall))
	if int64(skew/v.Unit) < v.Window() {
		return nil
	}
	return fmt.Errorf("%w: this machine's and the store's differ by %v, where %v is allowed: this "+
		"machine shows %s, the store %s: correct the one that is wrong", ErrClock,
		skew.Round(time.Millisecond), time.Duration(v.Window())*v.Unit, stamp(p.at.wall), stamp(v.Now))
}

// clear deletes the rows of a layout, or those of all layouts if layout is empty. It returns an
// error if one of the process's own layout was granted so far ahead that a new row would begin
// below that.
func (p *caller) clear(layout string) error {
	v, err := p.read(0, math.MaxInt64)
	if err != nil {
		return err
	}
	if row, ahead := grants.Furthest(v); ahead {
		return fmt.Errorf("%w: rows have to be deleted, but %s", ErrClock, whyLater(v, row))
	}
	return p.delete(layout, v)
}

// alone reports whether there are no other layouts in the place, or none that matter to this one.
func (c *Claim) alone(v store.View) bool { return len(v.Others) == 0 || c.AllowOtherLayouts }

// place reads the rows of the claim, in a place that is the layout's alone: if there are rows
// of other layouts, none of them in use, it deletes all rows of the place.
func (p *caller) place() (store.View, error) {
	first, last := p.c.claimed(p.need)
	for {
		v, err := p.view(first, last, nil)
		if err == nil {
			err = p.serves(v)
		}
		if err != nil || p.c.alone(v) {
			return v, err
		}
		if p.c.ExistingOnly { // its own rows would be deleted, too, and it cannot make others
			return v, fmt.Errorf("%w, or was; a claim with ExistingOnly deletes no rows: correct the "+
				"layout %s, or type `ringuid worker init --store URL --layout LAYOUT --epoch TIME`, which does",
				ErrOtherLayout, layoutName(v.Layout))
		}
		if err = p.clear(""); err == nil {
			for other := range v.Others {
				p.c.Logger.Warn("deleted the rows of another layout, which nobody used any more", "layout",
					layoutName(other.Layout))
			}
			// If another process starts with another layout at the same time, then without random
			// pauses each would forever delete the other's rows before they are open.
			p.cleared++
			err = p.pause(backOff(p.cleared, p.at.nonce))
		}
		if err != nil {
			return v, fmt.Errorf("worker: deleting the rows of layouts that are no longer in use: %w", err)
		}
	}
}
