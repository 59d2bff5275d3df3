package worker

import (
	"context"
	"errors"
	"math"
)

var (
	// ErrFenced is wrapped by Lease.Err when another process has taken the worker id
	// over. Ids that were made and not yet handed out must not be handed out.
	ErrFenced = errors.New("worker: fenced by another holder")

	// ErrReleased is wrapped by Lease.Err after Release.
	ErrReleased = errors.New("worker: lease released")
)

// A Lease is a worker id and the ticks that may be minted with it.
//
// Ticks here count Need.Unit from the Unix epoch, so that they mean the same to
// holders whose layouts have different epochs. All methods may be called from
// any goroutine. A lease that never changes returns nil from Changed and Err,
// and the whole range from Grant.
//
// A lease that outlives a copy of its process is [Restorable], too.
type Lease interface {
	// WorkerID is 0 or more and at most Need.MaxID. It never changes.
	WorkerID() int64

	// Class says what the worker id's uniqueness rests on.
	Class() Class

	// Grant returns the first and last tick that may be minted. Both only grow
	// while Err does not wrap ErrFenced. When lo > hi nothing may be minted.
	Grant() (lo, hi int64)

	// Want asks, in the background, for a grant that covers tick and some time after
	// it. It never blocks, and may be called for each tick.
	Want(tick int64)

	// Changed returns a channel that is closed when the grant changes, or the lease is
	// lost, after the call. Ask for it before reading Grant and Err, and again after
	// each close. Nil: nothing will ever change.
	Changed() <-chan struct{}

	// Err says why Grant will never grow again; nil while it may. When it wraps
	// ErrFenced, nothing of the grant may be minted or handed out any more; with any
	// other error the grant may be used up.
	Err() error

	// Release gives the worker id back. last is the highest tick ever minted
	// (counted like Grant's), math.MinInt64 when there was none. The caller has
	// stopped minting: a lost lease is released when another is in force. Calls
	// after the first do nothing.
	Release(ctx context.Context, last int64) error
}

// forever is the lease of an id that is held without a limit in time.
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
