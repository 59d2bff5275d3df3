package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/worker/store"
)

// Leased takes a worker id from a store, together with a window of time that the store
// durably grants to it, and gives it back to be recycled. The package's documentation says
// why two holders never make the same id.
//
// The worker ids of one layout in one place, such as a table or a key prefix, form a pool,
// which all processes that use that layout there share. A process that needs rows creates
// those that are missing. New rows begin a window and [Claim.Slack] after the store's clock.
// So the first process of a new pool waits for Slack and a tick, and its ids are up to a
// minute ahead of the clock until the clock has caught up.
//
// Assign tries as long as its context lasts, or for a minute if that has no deadline: while the
// store does not answer, and while other processes hold all worker ids. While one that no process
// holds cannot be granted yet, as when it is new, or after a fail-over or a burst, it waits as long
// as its context lasts. After a call without an answer the next one has twice as long, up to 20 s:
// if all begin anew after 3 s, a store that a thousand ask at once answers none of them. At the end
// the error wraps the cause, [ErrAllHeld] or the error of the store's client, and that of the
// context. At once Assign returns errors that wrap [ErrStore], [ErrDenied], [ErrClaim], [ErrClock],
// [ErrIDRange], [ErrOtherLayout], [ErrNoTables], [ErrOverlap] or [ErrRolledBack].
func Leased(s store.Store, c Claim) Assigner {
	c = c.withDefaults()
	return assigner(func(ctx context.Context, n Need) (Lease, error) {
		var class Class
		var a *acquirer
		c, usual := c, c.Timeout
		err := persist(ctx, c.Logger, func() (err error) {
			defer func() {
				if errors.Is(err, errLate) {
					c.Timeout = min(2*c.Timeout, max(usual, tryFor))
				}
			}()
			if a == nil {
				p, kind, err := c.begin(ctx, s, n)
				if err != nil {
					return err
				}
				class, a = kind, &acquirer{growth: growth{caller: p},
					waits: asynclog.Failure{Patience: briefWait}}
			}
			a.c.Timeout = c.Timeout
			return a.acquire()
		})
		if err != nil {
			return nil, err
		}
		a.c.Timeout = usual
		return hold(class, *a), nil
	})
}

// begin checks the claim, and asks the store for the class of its leases. The caller that it
// returns is valid even if there is an error.
func (c Claim) begin(ctx context.Context, s store.Store, n Need) (caller, Class, error) {
	p := c.caller(ctx, s, n)
	if err := c.validate(n); err != nil {
		return p, 0, err
	}
	if s == nil { // a store that was made without a client says so itself
		return p, 0, errNoStore
	}
	switch lossy, err := call(&p, 1, s.Check); {
	case errors.Is(err, ErrStore) && c.AllowUnfenced:
		c.Logger.Warn("the store's settings may give one worker id to two processes; taking one "+
			"anyway, since AllowUnfenced is set", "reason", err)
		return p, Unfenced, nil
	case err != nil:
		return p, 0, err
	case lossy:
		return p, FencedLossy, nil
	}
	return p, Fenced, nil
}

var errNoStore = fmt.Errorf("%w: the store is nil: pass one of sqlstore, redisstore, etcdstore, "+
	"zkstore, k8sstore, s3store, docstore or memstore", ErrClaim)

// acquirer takes a row. It grows the pool when no row may be taken, and waits if it is known
// when one may be. After an error acquire may be called again.
//
// It takes a row only after a view that showed no rows of another layout (see place). Of two
// processes with two layouts in one place, each opens its rows, or finds them open, before its
// last view. So one of them sees the other's rows, and it fails or deletes them all. What was
// granted with a row that was deleted lies below all that is granted with rows opened later.
type acquirer struct {
	growth

	h       holder // of the row that it took
	unsure  error  // why it is not known whether it did; nil: it is
	refused int    // how many writes have failed
	missed  int    // how often it did not get the row
	rounds  int    // how often it created or opened rows

	blocked error            // why no row may be taken, while it waits for one; else nil
	waits   asynclog.Failure // the same, for the log
}

// mostRefused is after how many writes that failed, and were seen not to have been applied, the
// store counts as read-only.
const mostRefused = 3

// mostRounds is after how many rounds it says that they are in vain. Three are enough where nobody
// deletes rows.
const mostRounds = 20

var errVain = fmt.Errorf("worker: rows were created or opened without an error %d times, and are "+
	"not there: look for a trigger, rule or policy of the store, or for who deletes them", mostRounds)

// acquire returns nil when the acquirer has a row.
func (a *acquirer) acquire() error {
	for len(a.h.spans) == 0 {
		if err := a.attempt(); err != nil && a.ctx.Err() != nil {
			return cmp.Or(a.blocked, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (a *acquirer) attempt() error {
	if a.unsure != nil {
		return a.confirm()
	}
	v, err := a.place()
	if err != nil {
		return err
	}
	a.compare(v)
	if err := a.refuse(v); err != nil {
		return err
	}
	return a.step(v)
}

// step takes a row that may be taken, or makes a new one, or waits.
func (a *acquirer) step(v store.View) error {
	row, until, none := a.c.choose(a.at, v)
	if none == nil {
		return a.take(v, row)
	}
	opened := func(r store.Row) bool { return r.Open && r.Nonce == a.own } // and not taken since
	if !a.c.ExistingOnly && !(v.CreateRate > 0 && slices.ContainsFunc(v.Rows, opened)) {
		// It needs only one row itself: where rows are created one by one, fill creates the others.
		if did, err := a.round(v, 1); did || err != nil {
			if a.rounds++; err == nil && a.rounds%mostRounds == 0 {
				err = errVain
			}
			return err
		}
	}
	if until.IsZero() {
		return none
	}
	asynclog.Tell(a.ctx, none)
	if a.blocked = none; a.waits.Meet(a.at.mono, a.blocked) {
		a.c.Logger.Warn("waiting for a worker id", "reason", a.blocked)
	}
	// Wait a little longer, by a random time, since all processes that wait for this row wake up then.
	return a.pause(min(max(0, until.Sub(v.Now)), longestLook) +
		time.Millisecond + time.Duration(a.at.nonce[0])*time.Millisecond/4)
}

// longestLook is the longest time until the rows are looked at again: meanwhile one may be
// released or added, or may expire, and the store's clock may be set.
const longestLook = 5 * time.Second

// briefWait is how long an acquirer waits without logging it, as the first process of a pool does.
const briefWait = 20 * time.Second

// take writes a row that may be taken.
func (a *acquirer) take(v store.View, row store.Row) error {
	a.blocked, a.h = nil, newHolder(v, row, a.c.Owner, a.c.TTL)
	applied, err := a.write(&a.h, a.h.acquire(a.at.nonce))
	if err != nil {
		a.refused++
	}
	if 0 < row.Worker && row.Worker <= v.Keys {
		a.c.Logger.Warn("WORKER_NODE has given this worker id out: if a Java process of this layout "+
			"has it, end that: both make the same ids", "worker", row.Worker, "given_out", v.Keys)
	}
	if applied {
		return nil
	}
	// Either there was no answer, or it may have been the answer to a repetition: the row shows
	// whether the write was applied (I8).
	a.unsure = cmp.Or(err, errMissed)
	return a.confirm()
}

// confirm finds out whether the write that takes a row was applied. If it was not, it waits a
// little.
func (a *acquirer) confirm() error {
	v, err := a.view(a.h.worker, a.h.worker, nil)
	if err != nil {
		return fmt.Errorf("%w; then reading it: %w", a.unsure, err)
	}
	// It is no cause for alarm if another process took the row: the next attempt takes another
	// row. A random pause keeps processes from colliding again.
	failed := a.unsure
	a.unsure = nil
	a.h.see(v)
	switch {
	case len(a.h.spans) > 0:
		return nil
	case failed != errMissed && a.refused%mostRefused == 0:
		return fmt.Errorf("worker: the store can be read but not written: %w", failed)
	}
	if a.missed++; failed == errMissed && a.missed%mostRounds == 0 { // which is tried again
		return errMissed
	}
	return a.pause(backOff(a.missed, a.at.nonce))
}
