package worker

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// leastFresh is the shortest tick with which Init takes an operator's word that a pool is
// new: with shorter ticks a new pool is only seconds from its first id.
const leastFresh = time.Minute

// Init creates the rows of a claim's worker ids ahead of time, and returns when all are
// there and open. Processes whose claim says ExistingOnly need it; for others it saves the
// first one's wait. It may be called again, in any number of processes.
//
// fresh says that no process has ever taken ids of this layout from this place, so that the
// first ids may carry the present time. Nothing checks that. It is refused for ticks shorter
// than a minute, which do not need it. Rows that exist stay as they are.
//
// The error wraps [ErrClaim], [ErrClock], [ErrLayout], [ErrNotMade], [ErrOverlap],
// [ErrRange], [ErrStore], or that of the store's client.
func Init(ctx context.Context, s Store, c Claim, n Need, fresh bool) (View, error) {
	c = c.withDefaults()
	if err := c.validate(n); err != nil {
		return View{}, err
	}
	if fresh && n.Unit < leastFresh {
		return View{}, fmt.Errorf("%w: fresh is for ticks of %v or more, this layout's are %v: a new "+
			"pool gives its first id within seconds", ErrClaim, leastFresh, n.Unit)
	}
	if _, err := s.Check(ctx); err != nil && !c.AllowUnfenced {
		return View{}, fmt.Errorf("worker: checking the store's settings: %w", err)
	}
	if fresh {
		if err := freshHead(ctx, s, c, n.pool()); err != nil {
			return View{}, err
		}
	}
	p := c.caller(ctx, s, n)
	g := growth{most: math.MaxInt, fresh: fresh}
	for {
		v, err := p.place()
		if err != nil {
			return v, err
		}
		g.first, g.last = c.span(v, n)
		if did, err := g.round(&p, v); err != nil || !did {
			return v, err
		}
	}
}

// freshHead makes the head of a pool that has none, with a floor of now.
func freshHead(ctx context.Context, s Store, c Claim, p Pool) error {
	v, err := s.View(ctx, p, 0, -1)
	if err != nil || v.Server == "" || v.Epoch != "" {
		return err
	}
	back := -time.Duration(p.Window()+2) * p.Unit // takes the window off again
	return c.do(ctx, s, store.Raise{Pool: p, Slack: back}).err
}
