package worker

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
)

// A Lease is a worker id and the ticks that may be used with it.
//
// Ticks here are counted in Need.Unit from the Unix epoch, so that they mean the same
// to holders whose layouts have different epochs. All methods may be called from any
// goroutine. A lease that never changes returns nil from Changed and Err, and the whole
// range of int64 from Grant.
//
// One's own way to get worker ids is an [AssignerFunc], which needs no Lease of its own.
type Lease interface {
	// Take is called by a generator before it uses the lease, with what its layout needs. It
	// returns an error if another generator has the lease, or if it was assigned for another
	// layout: the same ids would be made twice. Then nothing else of it is called.
	Take(n Need) error

	// WorkerID is 0 or more and at most Need.MaxID. It never changes.
	WorkerID() int64

	// Class says what the worker id's uniqueness depends on.
	Class() Class

	// Grant returns the first and last tick that may be used; if lo > hi, none may be used. Both
	// only increase, unless Err wraps ErrFenced, or what was granted was given up.
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

	// AfterRestore is called when the machine was cloned or restored from a snapshot, so that two
	// processes may hold the lease. It ends the lease without a call to the store: nothing of it may
	// be used any more. The caller never releases it: the clone may continue to use it.
	AfterRestore()

	// Restores counts how often grants were given up, by AfterRestore or because the lease noticed
	// that the clock jumped. The count changes together with Grant, and before Changed signals it.
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

// once is the part of a lease that lets one generator alone have it.
type once struct{ taken atomic.Bool }

func (o *once) Take(Need) error {
	if o.taken.Swap(true) {
		return fmt.Errorf("%w: another generator has the lease, and both would make the same ids: "+
			"let each call of Assign ask for one", ErrClaim)
	}
	return nil
}

// forever is the lease of a worker id that is held without a time limit.
type forever struct {
	once
	id    int64
	class Class
}

func (l *forever) WorkerID() int64                    { return l.id }
func (l *forever) Class() Class                       { return l.class }
func (*forever) Grant() (lo, hi int64)                { return math.MinInt64, math.MaxInt64 }
func (*forever) Want(int64)                           {}
func (*forever) Changed() <-chan struct{}             { return nil }
func (*forever) Err() error                           { return nil }
func (*forever) Release(context.Context, int64) error { return nil }
func (*forever) AfterRestore()                        {}
func (*forever) Restores() int64                      { return 0 }
