package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/worker/store"
)

// Leased takes a worker id from a store, together with a window of time that the store
// durably grants to it, and gives it back to be recycled. The package's documentation says
// why two holders never make the same id.
//
// The worker ids of one layout in one place, a table or a key prefix, are a pool: whoever
// uses that layout there shares them. Rows that are missing are created by whoever needs
// them, and begin a window after the store's clock. So the first process of a new pool waits
// for [Claim.Slack] and a tick, and its ids are up to a minute ahead of the clock until that
// has caught up.
//
// A worker id that nobody holds may still not be taken for some time: while it is granted
// as far ahead as the store allows, as after a fail-over, a burst, or when it is new. If
// there is no other, Assign waits for it as long as its context lasts. It does not wait for
// processes that are alive to stop.
//
// The error of Assign wraps [ErrStore], [ErrAllHeld], [ErrClaim], [ErrClock], [ErrIDRange],
// [ErrLayout], [ErrNotMade], [ErrOverlap], [ErrRolledBack], or the error of the store's
// client.
func Leased(s store.Store, c Claim) Assigner { return leased{s, c.withDefaults()} }

type leased struct {
	store store.Store
	claim Claim
}

// Assign tries rows until it has one or ctx ends.
func (l leased) Assign(ctx context.Context, n Need) (Lease, error) {
	if err := l.claim.validate(n); err != nil {
		return nil, err
	}
	class, err := l.claim.check(ctx, l.store)
	if err != nil {
		return nil, err
	}
	a := acquirer{caller: l.claim.caller(ctx, l.store, n)}
	a.waits.Patience = briefWait
	if err := a.acquire(); err != nil {
		if ctx.Err() != nil && a.blocked != nil {
			err = fmt.Errorf("%w; waited for one until the context ended: %w", a.blocked, err)
		}
		return nil, err
	}
	return hold(class, a), nil
}

// errNoStore is what Leased and the operator's functions answer without a store. Stores that were
// made without a client say so themselves.
var errNoStore = fmt.Errorf("%w: the store is nil: pass one of sqlstore, redisstore, etcdstore, "+
	"zkstore, k8sstore or memstore", ErrClaim)

// check asks the store for the class of its leases.
func (c Claim) check(ctx context.Context, s store.Store) (Class, error) {
	if s == nil {
		return 0, errNoStore
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	lossy, err := s.Check(ctx)
	switch {
	case errors.Is(err, ErrStore) && c.AllowUnfenced:
		c.Logger.Warn("the store's settings may give one worker id to two processes; taking one "+
			"anyway, since AllowUnfenced is set", "reason", err)
		return Unfenced, nil
	case err != nil:
		return 0, fmt.Errorf("worker: checking the store's settings: %w", err)
	case lossy:
		return FencedLossy, nil
	}
	return Fenced, nil
}

// acquirer takes a row. It grows the pool when no row may be taken, and none will be as soon as
// a new one. It waits as long as one will be at a known time. An error that another attempt
// would only meet again ends it.
//
// It takes a row only after a view that showed no rows of another layout. Where there are
// some, it refuses as long as one of them reaches beyond now, and else deletes all rows of
// the place. Of two processes with two layouts, each opens its rows, or has had them opened,
// before its last view: so one of them sees the other's, and whoever took a row before it
// was deleted was granted nothing above what opens after.
type acquirer struct {
	caller
	growth growth

	h       holder     // of the row that it took
	shown   store.View // of all rows, the last one before that
	refused int        // how many writes have failed
	missed  int        // how often it did not get the row

	blocked error            // why no row may be taken, while it waits for one; nil: it does not
	waits   asynclog.Failure // the same, for the log
}

// mostRefused is how many writes may fail, and be seen not to have been applied, before
// the store counts as read-only.
const mostRefused = 3

// acquire returns nil when it has a row.
func (a *acquirer) acquire() error {
	a.h = holder{owner: a.c.Owner, ttl: a.c.TTL}
	for {
		v, err := a.place()
		if err != nil {
			return err
		}
		a.growth.first, a.growth.last = a.c.span(v, a.need)
		var wait time.Duration
		if row, none := a.c.choose(a.at, v); none == nil {
			taken, err := a.take(v, row)
			if err != nil {
				return fmt.Errorf("worker: acquiring worker id %d: %w", row.Worker, err)
			}
			if taken {
				return nil
			}
			// Somebody was faster. A random pause keeps processes from colliding again.
			a.blocked, wait = nil, backOff(a.missed, a.at.nonce)
			a.missed++
		} else if grown, err := a.grow(v, none); err != nil {
			return err
		} else if grown {
			continue
		} else if wait, err = a.wait(v, none); err != nil {
			return err
		}
		if err := a.pause(wait); err != nil {
			return fmt.Errorf("worker: acquiring a worker id: %w", err)
		}
	}
}

// take writes a row that may be taken, and reports whether it has it.
func (a *acquirer) take(v store.View, row store.Row) (taken bool, err error) {
	a.shown = v
	w := a.h.acquire(v, row, a.at.nonce)
	applied, err := a.write(w)
	a.h.wrote(w, applied, err)
	if errors.Is(err, ErrClock) { // it was not sent
		return false, err
	}
	if err != nil {
		a.refused++
	}
	if !applied {
		// Whether it was applied is not known, or this was the answer to a repetition: the
		// row shows which (I8).
		v, unread := a.view(row.Worker, row.Worker, nil)
		if unread != nil {
			return false, fmt.Errorf("%w; then reading it: %w", cmp.Or(err, errMissed), unread)
		}
		// no alarm if somebody else took the row: the next attempt takes another
		a.h.see(v)
	}
	if taken = len(a.h.spans) > 0; !taken && a.refused == mostRefused {
		return false, fmt.Errorf("the store can be read but not written: %w", err)
	}
	return taken, nil
}

// grow begins a round of growth, and reports whether there was anything to do, and nobody
// else does it. none says why there is no row that may be taken.
func (a *acquirer) grow(v store.View, none *noRow) (did bool, err error) {
	if a.c.ExistingOnly || none.parked && none.next <= a.c.soonest(v) &&
		(v.Pace == 0 || a.growth.has) {
		// One will come free as soon as a new one, and not somebody else waits for it who
		// created it.
		return false, nil
	}
	a.growth.most = math.MaxInt
	if v.Pace > 0 {
		a.growth.most = 1 // which it needs itself; the others are created beside its work
	}
	return a.growth.round(&a.caller, v)
}

// wait is how long to wait for a row that may be taken at a known time; none is an error if
// there is no such row.
func (a *acquirer) wait(v store.View, none *noRow) (time.Duration, error) {
	if !none.parked {
		return 0, none.error
	}
	if a.blocked = none.error; a.waits.Meet(a.at.mono, a.blocked) {
		a.c.Logger.Warn("waiting for a worker id", "reason", a.blocked)
	}
	return none.wait(v.Now, a.at.nonce), nil
}

// briefWait is how long it waits without a word, as the first process of a pool does.
const briefWait = 20 * time.Second
