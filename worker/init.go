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
	g := growth{most: math.MaxInt, fresh: fresh}
	for cleared := 0; ; {
		asked := c.clock.Mono()
		v, err := c.view(ctx, s, n.pool(), 0, n.MaxID)
		if err != nil {
			return v, fmt.Errorf("worker: reading worker ids: %w", err)
		}
		at := c.moment(noTick)
		if err := c.serves(at, at.mono-asked, v, n); err != nil {
			return v, err
		}
		clear, err := c.alone(v)
		if err != nil {
			return v, err
		}
		if clear != nil {
			if a := c.do(ctx, s, clear); a.err != nil {
				return v, fmt.Errorf("worker: deleting the rows of layouts that are no longer in use: %w",
					a.err)
			}
			if cleared++; cleared > 1 { // as in acquirer
				if err := pause(ctx, backOff(cleared, c.nonce())); err != nil {
					return v, fmt.Errorf("worker: deleting the rows of other layouts: %w", err)
				}
			}
			continue
		}
		g.first, g.last = c.span(v, n)
		next := g.begin(&c, at, v)
		if next == nil {
			return v, nil
		}
		for next != nil {
			if next, err = g.next(next.ask(ctx, s)); err != nil {
				return v, fmt.Errorf("worker: %w", err)
			}
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
	return c.do(ctx, s, raise{store.Raise{Pool: p, Slack: back}}).err
}
