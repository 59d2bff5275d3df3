package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
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
// [ErrIDRange], [ErrStore], or that of the store's client.
func Init(ctx context.Context, s store.Store, c Claim, n Need, fresh bool) (store.View, error) {
	c = c.withDefaults()
	if err := c.validate(n); err != nil {
		return store.View{}, err
	}
	if fresh && n.Unit < leastFresh {
		return store.View{}, fmt.Errorf("%w: fresh is for ticks of %v or more, this layout's are %v: "+
			"a new pool gives its first id within seconds", ErrClaim, leastFresh, n.Unit)
	}
	if _, err := c.check(ctx, s); err != nil {
		return store.View{}, err
	}
	p := c.caller(ctx, s, n)
	return p.createRows(fresh)
}

func (p *caller) createRows(fresh bool) (store.View, error) {
	if fresh {
		if err := p.freshHead(); err != nil {
			return store.View{}, err
		}
	}
	// In rounds, since each call has a limit, and some stores write row by row.
	g := growth{most: 1024, fresh: fresh}
	for {
		v, err := p.place()
		if err != nil {
			return v, err
		}
		g.first, g.last = p.c.span(v, p.need)
		if did, err := g.round(p, v); err != nil || !did {
			return v, err
		}
	}
}

// freshHead makes the head of a pool that has none, with a floor of now.
func (p *caller) freshHead() error {
	v, err := p.read(0, -1)
	if err != nil || v.Server == "" || v.Epoch != "" {
		return err
	}
	_, err = p.raise("", 0, 0)
	return err
}

// Free releases a worker id on behalf of a process that is gone, so that nobody has to wait
// until its lease expires. Unless steal is set, the holder must be the claim's Owner, or its
// lease must have expired. Of the claim, only Owner, Slack, Timeout and Logger matter, and
// Need.MaxID does not. The view that Free returns shows the row as it was; a row that nobody
// holds is left alone.
//
// Free is as safe as any takeover: the row keeps its High, so the next holder begins above
// everything that was granted. A holder that is alive notices when it next renews its lease,
// drops the ids that it has not handed out, and takes another worker id.
//
// The error wraps [ErrHeld], [ErrClaim] for a worker id that has no row, or the store's.
func Free(ctx context.Context, s store.Store, c Claim, n Need, id int64, steal bool) (
	store.View, error) {
	c = c.withDefaults()
	// Settings that may lose worker ids are no reason to hold on to one.
	if _, err := c.check(ctx, s); err != nil && !errors.Is(err, ErrStore) {
		return store.View{}, err
	}
	operator := c.caller(ctx, s, n)
	return operator.free(id, steal)
}

func (p *caller) free(id int64, forced bool) (store.View, error) {
	v, err := p.view(id, id, nil)
	if err != nil {
		return v, fmt.Errorf("worker: freeing worker id %d: %w", id, err)
	}
	if len(v.Rows) == 0 {
		return v, fmt.Errorf("%w: layout %s has no row for worker id %d", ErrClaim,
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
	h := holder{pool: v.Pool, epoch: v.Epoch, floor: v.Floor, worker: id, owner: row.Owner,
		nonce: row.Nonce}
	// How far its holder got is not known, so everything granted to it counts as minted (I4).
	applied, err := p.write(
		h.write(v, store.Write{Nonce: p.at.nonce, High: row.High, Release: true}))
	if err == nil && !applied {
		err = fmt.Errorf("%w: try again", errMissed)
	}
	if err != nil {
		return v, fmt.Errorf("worker: freeing worker id %d: %w", id, err)
	}
	return v, nil
}
