package worker

import (
	"fmt"
	"math/rand/v2"
	"slices"

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

	own     store.Nonce // of the rows that it created last: it opens them before others
	slack   int64       // in ticks, for Opening
	opening store.Opening
	awaits  call
}

// begin returns the first call of a round, nil when all rows are there and open.
func (g *growth) begin(c *Claim, at moment, v store.View) call {
	g.awaits = nil
	if created, workers := g.unopened(v); len(workers) > 0 {
		g.slack = v.SlackTicks(c.slack(v))
		g.opening = store.Opening{Pool: v.Pool, Workers: workers, Created: created, Nonce: at.nonce}
		g.awaits = askTime{}
	} else if workers := g.missing(v, at.nonce); len(workers) > 0 {
		g.own = at.nonce
		g.awaits = create{store.Creation{Pool: v.Pool, Workers: workers, Nonce: at.nonce}}
	}
	return g.awaits
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
		g.opening.High = p.TickAt(a.now) + p.Window() + g.slack
		if g.fresh {
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

// unopened returns rows of one creation that are not open yet, its own first.
func (g *growth) unopened(v store.View) (created store.Nonce, workers []int64) {
	rows := slices.DeleteFunc(slices.Clone(v.Rows), func(r store.Row) bool {
		return r.Open || r.Worker < g.first || r.Worker > g.last
	})
	if len(rows) == 0 {
		return created, nil
	}
	created = rows[0].Nonce
	if slices.ContainsFunc(rows, func(r store.Row) bool { return r.Nonce == g.own }) {
		created = g.own
	}
	for _, r := range rows {
		if r.Nonce == created && len(workers) < g.most {
			workers = append(workers, r.Worker)
		}
	}
	return created, workers
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
