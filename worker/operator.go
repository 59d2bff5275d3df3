package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// Init creates the rows of a claim's worker ids ahead of time, and returns when all exist and
// are open. Processes whose claim says ExistingOnly need it; for others it saves the first one
// the wait. It may be called again, in any number of processes. Rows that exist stay as they are,
// but those of another layout that is no longer in use are deleted (Claim.AllowOtherLayouts).
//
// The error wraps [ErrClaim], [ErrClock], [ErrOtherLayout], [ErrNoTables], [ErrOverlap],
// [ErrIDRange], [ErrStore], or the error of the store's client.
func Init(ctx context.Context, s store.Store, c Claim, n Need) (store.View, error) {
	return create(ctx, s, c, n, false)
}

// InitFresh is [Init] of worker ids with which no process has ever taken ids of this layout, here
// or from another store, so that the first ids may carry the present time. Nothing checks this.
// Ticks shorter than a minute do not need it: the error then wraps [ErrClaim].
func InitFresh(ctx context.Context, s store.Store, c Claim, n Need) (store.View, error) {
	if n.Unit < time.Minute {
		return store.View{}, fmt.Errorf("%w: fresh is for ticks of %v or more, this layout's are %v: "+
			"a new pool gives its first id within seconds", ErrClaim, time.Minute, n.Unit)
	}
	return create(ctx, s, c, n, true)
}

func create(ctx context.Context, s store.Store, c Claim, n Need, fresh bool) (store.View, error) {
	c.guest, c.ExistingOnly = true, false
	p, _, err := c.withDefaults().begin(ctx, s, n)
	defer asynclog.Flush(p.c.Logger) // the program may end
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

// Release releases a worker id on behalf of a process that is gone, so that no process has to
// wait until its lease expires. The holder must be owner, which is not "", or its lease must have
// expired; else the error wraps [ErrHeld]. It wraps [ErrNoRows] for a worker id that has no row.
// Need.MaxID does not matter. The view shows the row as it was before. A row that no process holds
// is left alone.
//
// Release is as safe as any takeover. A holder that is alive notices when it next renews its lease,
// drops the ids that it has not handed out, and takes another worker id.
func Release(ctx context.Context, s store.Store, n Need, id int64, owner string) (store.View,
	error) {
	return free(ctx, s, n, id, owner, false)
}

// Steal is [Release], whoever holds the worker id.
func Steal(ctx context.Context, s store.Store, n Need, id int64) (store.View, error) {
	return free(ctx, s, n, id, "", true)
}

func free(ctx context.Context, s store.Store, n Need, id int64, owner string, forced bool) (
	store.View, error) {
	c := Claim{Owner: owner, Logger: slog.New(slog.DiscardHandler), guest: true}
	p, _, err := c.withDefaults().begin(ctx, s, n)
	// Settings that may lose worker ids are no reason to hold on to one.
	if err != nil && !errors.Is(err, ErrStore) {
		return store.View{}, err
	}
	return p.free(id, forced)
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
	case !forced && (row.Owner != p.c.Owner || row.Owner == "") && grants.Live(v, row):
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
