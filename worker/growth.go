package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// growth creates the rows of a claim and opens them, in rounds, each after a new view.
//
// A row is created without a High, so nobody may take it. Whoever opens it asks the store for
// its time, after the view that showed the row, and sets High one window above that time, and
// Slack, by compare-and-set on the nonce of the creation that was seen. So
//
//	what was granted with an earlier row of this worker id
//	    <= its store's time when it was granted + window       (I6)
//	    <= the time that was asked for + slack + window < High
//
// since that grant was made before the view: the earlier row was gone by then, and a write to
// it, however late, compares its nonce.
type growth struct {
	first, last int64 // the worker ids that shall have rows
	most        int   // how many are created, or opened, in a round
	fresh       bool  // no process has ever had ids of this layout from this place

	own store.Nonce // of the rows that it created last
	has bool        // some of them were there: nobody else had been faster
}

// round makes a round, and reports whether there was anything to do. It opens its own rows, or
// else creates what is missing, or else opens what others have left.
func (g *growth) round(p *caller, v store.View) (did bool, err error) {
	own, others, missing := g.lacks(v)
	g.has = g.has || len(own) > 0
	switch {
	case len(own) > 0:
		return true, g.open(p, v, own)
	case len(missing) > 0:
		g.own = p.at.nonce
		if len(missing) > g.most {
			// Processes that start together create different ones.
			shuffle(missing, p.at.nonce)
			missing = missing[:g.most]
		}
		if err := p.callMany(func(ctx context.Context) error {
			return p.store.Create(ctx, v.Pool, missing, g.own)
		}); err != nil {
			return true, fmt.Errorf("worker: creating rows of worker ids: %w", err)
		}
		return true, nil
	}
	return len(others) > 0, g.open(p, v, others)
}

// lacks returns the rows that are not open yet, its own and those of others, and the worker ids
// that have none.
func (g *growth) lacks(v store.View) (own, others []store.Row, missing []int64) {
	there := map[int64]bool{}
	for _, r := range v.Rows {
		there[r.Worker] = true
		switch {
		case r.Open || r.Worker < g.first || r.Worker > g.last:
		case r.Nonce == g.own:
			own = append(own, r)
		default:
			others = append(others, r)
		}
	}
	for id := g.first; id <= g.last; id++ {
		if !there[id] {
			missing = append(missing, id)
		}
	}
	return own, others, missing
}

// open asks for the time, and opens those of the rows that are of the first one's creation.
func (g *growth) open(p *caller, v store.View, rows []store.Row) error {
	if len(rows) == 0 {
		return nil
	}
	var workers []int64
	created := rows[0].Nonce
	for _, r := range rows {
		if r.Nonce == created && len(workers) < g.most {
			workers = append(workers, r.Worker)
		}
	}
	var now time.Time
	if err := p.call(func(ctx context.Context) (err error) {
		now, err = p.store.Now(ctx)
		return err
	}); err != nil {
		return fmt.Errorf("worker: asking the store for its time: %w", err)
	}
	high := grants.Opening(v.Pool, now, p.c.slack(v))
	if g.fresh && created == g.own { // others' rows may be of later
		high = v.TickAt(now) - 1
	}
	if err := p.callMany(func(ctx context.Context) error {
		return p.store.Open(ctx, v.Pool, workers, created, p.at.nonce, high)
	}); err != nil {
		return fmt.Errorf("worker: opening rows of worker ids: %w", err)
	}
	return nil
}

// fills reports whether the pool of which it took a row may lack others, which are created
// beside the work of the process, since the store creates rows one by one.
func (a *acquirer) fills() bool {
	own, others, missing := a.growth.lacks(a.shown)
	return a.shown.Pace > 0 && !a.c.ExistingOnly && len(own)+len(others)+len(missing) > 0
}

// fill creates them in rounds, until all rows are there and open, or a pause is ended.
//
// Rows that are created a second, by all processes together, are as many as the store's pace:
// each of those that are live creates its share. Since a round reads all rows, there are the
// fewer rounds of a process the more processes there are: some eight a second of all together.
func (a *acquirer) fill() {
	failure := asynclog.Failure{Patience: a.c.TTL / 6}
	seconds := 1 // between two rounds
	for {
		v, err := a.read(a.growth.first, a.growth.last)
		// Where there are rows of another layout, an acquirer of this one decides whose place it
		// is. Rows that are opened now could begin below what the other layout's holders are
		// granted later.
		if err == nil && (len(v.Others) == 0 || a.c.AllowOtherLayouts) {
			live := 0 // processes that have a worker id
			for _, r := range v.Rows {
				if grants.Live(v, r) {
					live++
				}
			}
			seconds = 1 + live/8
			a.growth.most = max(1, v.Pace*seconds/max(1, live))
			var did bool
			if did, err = a.growth.round(&a.caller, v); !did {
				return
			}
		}
		if err == nil {
			failure.End()
		} else if failure.Meet(a.at.mono, err) {
			a.c.Logger.Warn("cannot create rows for more worker ids; retrying", "reason", err)
		}
		wait := time.Duration(seconds) * time.Second
		if a.pause(wait/2+wait*time.Duration(a.at.nonce[0])/256) != nil {
			return
		}
	}
}
