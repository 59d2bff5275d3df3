package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// Need is what a layout requires of its worker id: see uid.Layout.Need.
type Need struct {
	Unit        time.Duration // length of a tick, 1 ms to 24 h
	MaxID       int64         // the largest worker id that the layout holds
	Fingerprint string        // names the layout: holders of one worker id must agree on it
}

// An Assigner hands out worker ids. A generator calls Assign when it starts, and again
// when its lease is lost. The context bounds only the call, not the life of the lease.
type Assigner interface {
	Assign(ctx context.Context, n Need) (Lease, error)
}

// pool returns the layout's pool, whatever store it is asked of.
func (n Need) pool() store.Pool { return store.Pool{Layout: n.Fingerprint, Unit: n.Unit} }

// A Lease is a worker id and the ticks that may be used with it.
//
// Ticks here are counted in Need.Unit from the Unix epoch, so that they mean the same
// to holders whose layouts have different epochs. All methods may be called from any
// goroutine. A lease that never changes returns nil from Changed and Err, and the whole
// range of int64 from Grant.
//
// A lease that stays safe when its process is cloned or restored from a snapshot is also
// [Restorable].
type Lease interface {
	// WorkerID is 0 or more and at most Need.MaxID. It never changes.
	WorkerID() int64

	// Class says what the worker id's uniqueness depends on.
	Class() Class

	// Grant returns the first and last tick that may be used; if lo > hi, none may be used. Both
	// only increase, unless Err wraps ErrFenced, or a Restorable has given up what it was
	// granted.
	Grant() (lo, hi int64)

	// Want asks, in the background, for a grant that covers tick and some time after
	// it. It never blocks, and may be called for each tick.
	Want(tick int64)

	// Changed returns a channel that is closed when, after this call, the grant changes
	// or the lease is lost. Call it before reading Grant and Err, and again after each
	// close. Nil means that nothing will ever change.
	Changed() <-chan struct{}

	// Err returns why the grant will never be extended again, and nil while it may be. When it
	// wraps ErrFenced, no part of the grant may be used or handed out any more; after any other
	// error the rest of the grant may still be used.
	Err() error

	// Release gives the worker id back. The caller must have stopped using it.
	// last is the highest tick ever used, counted like Grant's, or math.MinInt64 if
	// there was none. Calls after the first do nothing.
	Release(ctx context.Context, last int64) error
}

// Restorable is implemented by a [Lease] that stays safe when its machine is cloned, or
// restored from a snapshot, so that two processes may hold the same lease. The leases of
// [Leased] are Restorable.
//
// After a restore a generator gives up a lease that is not Restorable and takes a new
// worker id. It never releases the old one, since the clone may still use it.
type Restorable interface {
	// AfterRestore gives up everything granted so far. Later grants lie above it.
	AfterRestore()

	// Restores counts how often grants were given up, by AfterRestore or because the lease itself
	// noticed a restore. The count changes together with Grant, and before Changed signals it.
	Restores() int64
}

// Class says what the uniqueness of a worker id depends on.
type Class uint8

const (
	// Unfenced: the caller guarantees that no other process has the worker id at the same time,
	// and that a restart, on this machine or another, does not find the clock set back. Then no
	// id is duplicated: a generator uses only ticks that begin after it got the worker id, and
	// uses none of them before it begins. uid.Config.AllowRepeats says what this costs, and turns
	// it off.
	Unfenced Class = iota
	// FencedLossy: a recycled worker id, fenced by a store that may lose acknowledged
	// writes when it fails over. Uniqueness also depends on the clocks of two servers
	// differing by a bounded amount.
	FencedLossy
	// Fenced: a recycled worker id, fenced by a store that keeps what it acknowledged.
	// Uniqueness depends on no clock.
	Fenced
	// NeverReused: a new worker id for each start. Uniqueness depends on the store
	// keeping the rows that it acknowledged.
	NeverReused
)

var classNames = [...]string{"Unfenced", "FencedLossy", "Fenced", "NeverReused"}

func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// MarshalText lets reports and logs show the name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
