package worker

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// growth creates the rows of a claim and opens them, in rounds: a part of a step function,
// which reads a view before each round and again after it.
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

	own     store.Nonce // of the rows that it created last
	has     bool        // some of them were there: nobody else had been faster
	slack   time.Duration
	opening store.Opening
	awaits  call
}

// begin returns the first call of a round, nil when all rows are there and open. It opens
// its own rows, then creates what is missing, then opens what others have left.
func (g *growth) begin(c *Claim, at moment, v store.View) call {
	g.awaits = nil
	own, others := g.unopened(v)
	g.has = g.has || len(own) > 0
	missing := g.missing(v, at.nonce)
	switch {
	case len(own) > 0:
		g.awaits = g.open(c, at, v, g.own, own)
	case len(missing) > 0:
		g.own = at.nonce
		g.awaits = create{store.Creation{Pool: v.Pool, Workers: missing, Nonce: at.nonce}}
	case len(others) > 0:
		g.awaits = g.open(c, at, v, others[0].Nonce, others)
	}
	return g.awaits
}

// open asks for the time, by which next opens those of the rows that are of this creation.
func (g *growth) open(c *Claim, at moment, v store.View, created store.Nonce,
	rows []store.Row) call {
	g.slack = c.slack(v)
	g.opening = store.Opening{Pool: v.Pool, Created: created, Nonce: at.nonce}
	for _, r := range rows {
		if r.Nonce == created && len(g.opening.Workers) < g.most {
			g.opening.Workers = append(g.opening.Workers, r.Worker)
		}
	}
	return askTime{}
}

// next returns the call to make after this answer, nil when the round is over.
func (g *growth) next(a answer) (call, error) {
	switch g.awaits.(type) {
	case create:
		if a.err != nil {
			return nil, fmt.Errorf("creating rows of worker ids: %w", a.err)
		}
	case askTime:
		if a.err != nil {
			return nil, fmt.Errorf("asking the store for its time: %w", a.err)
		}
		p := g.opening.Pool
		g.opening.High = p.Opening(a.now, g.slack)
		if g.fresh && g.opening.Created == g.own { // others' rows may be of later
			g.opening.High = p.TickAt(a.now) - 1
		}
		g.awaits = open{g.opening}
		return g.awaits, nil
	case open:
		if a.err != nil {
			return nil, fmt.Errorf("opening rows of worker ids: %w", a.err)
		}
	}
	return nil, nil
}

// complete reports whether all rows are there and open.
func (g *growth) complete(v store.View) bool {
	own, others := g.unopened(v)
	return len(own)+len(others)+len(g.missing(v, store.Nonce{})) == 0
}

// unopened returns the rows that are not open yet: its own, and those of others.
func (g *growth) unopened(v store.View) (own, others []store.Row) {
	for _, r := range v.Rows {
		switch {
		case r.Open || r.Worker < g.first || r.Worker > g.last:
		case r.Nonce == g.own:
			own = append(own, r)
		default:
			others = append(others, r)
		}
	}
	return own, others
}

// missing returns worker ids that have no row, in random order where they are not created
// all at once, so that processes which start together create different ones.
func (g *growth) missing(v store.View, random store.Nonce) (workers []int64) {
	there := map[int64]bool{}
	for _, r := range v.Rows {
		there[r.Worker] = true
	}
	for id := g.first; id <= g.last; id++ {
		if !there[id] {
			workers = append(workers, id)
		}
	}
	if len(workers) > g.most {
		shuffled(random).Shuffle(len(workers), func(i, j int) {
			workers[i], workers[j] = workers[j], workers[i]
		})
		workers = workers[:g.most]
	}
	return workers
}

// shuffled is a generator that the random bits of a moment decide.
func shuffled(random store.Nonce) *rand.Rand {
	return rand.New(rand.NewChaCha8([32]byte(append(random[:], random[:]...))))
}
