package worker

import (
	"context"
	"errors"
	"math"
)

var (
	// ErrFenced is wrapped by Lease.Err when another process has taken over the worker
	// id. Ids that were minted but not yet handed out must be dropped.
	ErrFenced = errors.New("worker: fenced by another holder")

	// ErrReleased is wrapped by Lease.Err after Release.
	ErrReleased = errors.New("worker: lease released")
)

// A Lease is a worker id and the ticks that may be minted with it.
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

	// Class says what the worker id's uniqueness rests on.
	Class() Class

	// Grant returns the first and last tick that may be minted; when lo > hi, none may
	// be. Both only increase, unless Err wraps ErrFenced, or a Restorable has given up
	// what it was granted.
	Grant() (lo, hi int64)

	// Want asks, in the background, for a grant that covers tick and some time after
	// it. It never blocks, and may be called for each tick.
	Want(tick int64)

	// Changed returns a channel that is closed when, after this call, the grant changes
	// or the lease is lost. Call it before reading Grant and Err, and again after each
	// close. Nil means that nothing will ever change.
	Changed() <-chan struct{}

	// Err returns why the grant will never be extended again, and nil while it may be.
	// When it wraps ErrFenced, nothing of the grant may be minted or handed out any
	// more; after any other error the rest of the grant may still be used.
	Err() error

	// Release gives the worker id back. The caller must have stopped minting with it.
	// last is the highest tick ever minted, counted like Grant's, or math.MinInt64 if
	// there was none. Calls after the first do nothing.
	Release(ctx context.Context, last int64) error
}

// forever is the lease of a worker id that is held without a time limit.
type forever struct {
	id    int64
	class Class
}

func (l forever) WorkerID() int64                    { return l.id }
func (l forever) Class() Class                       { return l.class }
func (forever) Grant() (lo, hi int64)                { return math.MinInt64, math.MaxInt64 }
func (forever) Want(int64)                           {}
func (forever) Changed() <-chan struct{}             { return nil }
func (forever) Err() error                           { return nil }
func (forever) Release(context.Context, int64) error { return nil }
