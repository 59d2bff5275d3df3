package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// Init creates the rows of a claim's worker ids ahead of time, and returns when all exist and
// are open. Processes whose claim says ExistingOnly need it; for others it saves the first one
// the wait. It may be called again, in any number of processes.
//
// fresh says that no process has ever taken ids of this layout from this place, so that the
// first ids may carry the present time. Nothing checks this. fresh is refused for ticks
// shorter than a minute, which do not need it. Rows that exist stay as they are.
//
// The error wraps [ErrClaim], [ErrClock], [ErrLayout], [ErrNotMade], [ErrOverlap],
// [ErrIDRange], [ErrStore], or the error of the store's client.
func Init(ctx context.Context, s store.Store, c Claim, n Need, fresh bool) (store.View, error) {
	if fresh && n.Unit < time.Minute {
		return store.View{}, fmt.Errorf("%w: fresh is for ticks of %v or more, this layout's are %v: "+
			"a new pool gives its first id within seconds", ErrClaim, time.Minute, n.Unit)
	}
	c.guest = true
	p, _, err := c.withDefaults().begin(ctx, s, n)
	if err != nil {
		return store.View{}, err
	}
	g := growth{caller: p, fresh: fresh}
	return g.createRows()
}

// createRows creates all rows, in rounds, since each call has a time limit.
func (g *growth) createRows() (store.View, error) {
	if g.fresh { // if there is no head, make one whose floor is now
		v, err := g.read(0, 0)
		if err == nil {
			err = g.agree(v)
		}
		if err == nil {
			_, err = g.raise(store.Head{}, 0, g.c.slack(v))
		}
		if err != nil {
			return v, err
		}
	}
	for {
		v, err := g.place()
		if err != nil {
			return v, err
		}
		if did, err := g.round(v, 1024); err != nil || !did {
			return v, err
		}
	}
}

// Free releases a worker id on behalf of a process that is gone, so that no process has to
// wait until its lease expires. Unless steal is set, the holder must be the claim's Owner, or
// its lease must have expired. Of the claim, only Owner, Slack, Timeout and Logger matter.
// Need.MaxID does not matter. The view that Free returns shows the row as it was before. A row
// that no process holds is left alone.
//
// Free is as safe as any takeover. A holder that is alive notices when it next renews its lease,
// drops the ids that it has not handed out, and takes another worker id.
//
// The error wraps [ErrHeld], [ErrNoRows] for a worker id that has no row, or the store's error.
func Free(ctx context.Context, s store.Store, c Claim, n Need, id int64, steal bool) (
	store.View, error) {
	c = Claim{Owner: c.Owner, Slack: c.Slack, Timeout: c.Timeout, Logger: c.Logger, guest: true}
	p, _, err := c.withDefaults().begin(ctx, s, n)
	// Settings that may lose worker ids are no reason to hold on to one.
	if err != nil && !errors.Is(err, ErrStore) {
		return store.View{}, err
	}
	return p.free(id, steal)
}

func (p *caller) free(id int64, forced bool) (store.View, error) {
	v, err := p.view(id, id, nil)
	if err != nil {
		return v, err
	}
	if len(v.Rows) == 0 {
		return v, fmt.Errorf("%w: layout %s has none for worker id %d", ErrNoRows,
			layoutName(v.Layout), id)
	}
	row := v.Rows[0]
	switch {
	case !row.Held:
		return v, nil
	case !forced && row.Owner != p.c.Owner && grants.Live(v, row):
		return v, fmt.Errorf("%w: worker id %d is held by %s, whose lease runs until %s",
			ErrHeld, id, holderOf(row), stamp(row.Expires))
	}
	// How far its holder got is not known, so everything granted to it counts as used (I4).
	h := newHolder(v, row, row.Owner, 0)
	applied, err := p.write(&h,
		h.write(store.Write{Nonce: p.at.nonce, High: row.High, Release: true}))
	if err == nil && !applied {
		err = fmt.Errorf("%w: try again", errMissed)
	}
	return v, err
}
