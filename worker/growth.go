package worker

import (
	"context"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// growth creates the rows of a claim and opens them, in rounds, each after a new view.
//
// Rows are opened by the rule for new rows in docs/leases.md, which has the proof:
//
//	what was granted with an earlier row of this worker id
//	    <= its store's time when it was granted + window       (I6)
//	    <= the time that was asked for + slack + window <= High
type growth struct {
	caller
	fresh bool // no process has ever had ids of this layout from this place

	own store.Nonce // of the rows that it created or opened last
}

// round opens the rows that g created itself, or else creates those that are missing, or else
// opens those that others left unopened. If the store creates rows one by one, most limits how
// many rows that is. round reports whether there was anything to do.
func (g *growth) round(v store.View, most int) (did bool, err error) {
	closed, missing := g.lacks(v)
	own := slices.IndexFunc(closed, func(r store.Row) bool { return r.Nonce == g.own })
	switch {
	case len(missing) > 0 && own < 0:
		g.own = g.at.nonce
		if far, _ := new(Claim).span(v, g.need); v.Keys != 0 && g.c.names() && missing[0] < far {
			g.c.Logger.Warn("the claim names worker ids that WORKER_NODE may give out: then Disposable "+
				"refuses to start, and Java takes them; set the counter above them, or delete the rows "+
				"(`ringuid worker quarantine --store URL`) and name none",
				"starts_until_then", missing[0]-max(0, v.Keys)-1, "first", missing[0],
				"last", missing[len(missing)-1])
		}
		if v.CreateRate > 0 && len(missing) > most {
			// Processes that start together create different rows.
			shuffle(missing, g.at.nonce)
			missing = missing[:most]
		}
		return true, g.callMany(func(ctx context.Context) error {
			return g.store.Create(ctx, v.Pool, missing, g.own)
		})
	case len(closed) > 0:
		return true, g.open(v, closed, closed[max(own, 0)].Nonce, most)
	}
	return false, nil
}

// lacks returns the rows that are not open yet, and the worker ids that have no row.
func (g *growth) lacks(v store.View) (closed []store.Row, missing []int64) {
	rows := map[int64]store.Row{}
	for _, r := range v.Rows {
		rows[r.Worker] = r
	}
	first, last := g.c.span(v, g.need)
	for id := first; id <= last; id++ {
		if r, there := rows[id]; !there {
			missing = append(missing, id)
		} else if !r.Open {
			closed = append(closed, r)
		}
	}
	return closed, missing
}

// open asks for the time, and then opens those of the rows whose nonce equals created.
func (g *growth) open(v store.View, rows []store.Row, created store.Nonce, most int) error {
	var workers []int64
	for _, r := range rows {
		if r.Nonce == created && (v.CreateRate == 0 || len(workers) < most) {
			workers = append(workers, r.Worker)
		}
	}
	now, err := call(&g.caller, 1, g.store.Now)
	if err != nil {
		return err
	}
	opened := store.Row{Nonce: g.at.nonce, Open: true, High: grants.Opening(v.Pool, now, v.Slack),
		Slack: v.Slack}
	if created == g.own {
		g.own = opened.Nonce
		if g.fresh { // others may have created theirs later
			opened.High = v.TickAt(now) - 1
		}
	}
	return g.callMany(func(ctx context.Context) error {
		return g.store.Open(ctx, v.Pool, workers, created, opened)
	})
}

// fills reports whether the pool may lack rows that fill has to create alongside the work of
// the process, since the store creates rows one by one.
func (a *acquirer) fills() bool {
	closed, missing := a.lacks(a.h.view)
	return a.h.view.CreateRate > 0 && !a.c.ExistingOnly && len(closed)+len(missing) > 0
}

// fill creates the missing rows in rounds, until all rows exist and are open, or its context ends.
//
// All processes together create as many rows a second as the store's pace says: each live process
// creates its share. Since a round reads all rows, the more processes there are, the fewer rounds
// each of them makes: all together make about eight a second at most.
func (a *acquirer) fill() {
	failure := asynclog.Failure{Patience: a.c.TTL / 6}
	for did := a.fills(); did; {
		v, err := a.read(a.c.claimed(a.need))
		live := 0 // processes that have a worker id
		for _, r := range v.Rows {
			if grants.Live(v, r) {
				live++
			}
		}
		seconds := 1 + live/8 // between two rounds
		// If there are rows of another layout, an acquirer of this layout decides which layout the
		// place belongs to. Rows that are opened now could begin below what the other layout's
		// holders are granted later.
		if err == nil && a.c.alone(v) {
			did, err = a.round(v, max(1, v.CreateRate*seconds/max(1, live)))
		}
		if err == nil {
			failure.End()
		} else if failure.Meet(a.at.mono, err) {
			a.c.Logger.Warn("cannot create rows for more worker ids; retrying", "reason", err)
		}
		wait := time.Duration(seconds) * time.Second
		if did && a.pause(wait/2+wait*time.Duration(a.at.nonce[0])/256) != nil {
			return
		}
	}
}
