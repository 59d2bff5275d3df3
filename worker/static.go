package worker

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/internal/machine"
)

// assigner is a function that assigns worker ids.
type assigner func(ctx context.Context, n Need) (Lease, error)

func (a assigner) Assign(ctx context.Context, n Need) (Lease, error) { return a(ctx, n) }

// Static always assigns id, which must be 0 to Need.MaxID; Assign wraps [ErrIDRange] for any
// other. The lease is [Unfenced]: the caller guarantees that no other process has the id at
// the same time, and that the clock is not set back across a restart.
func Static(id int64) Assigner {
	return assigner(func(_ context.Context, n Need) (Lease, error) {
		if id < 0 || id > n.MaxID {
			return nil, fmt.Errorf("%w: %d, and the layout holds 0 to %d: choose one of these, or a "+
				"layout with more worker bits", ErrIDRange, id, n.MaxID)
		}
		return forever{id: id, class: Unfenced}, nil
	})
}

// Ordinal takes the worker id from the number at the end of the host name, as in the names of
// the pods of a Kubernetes StatefulSet: web-0, web-1. base is added to it, to keep several
// sets apart. The lease is [Unfenced]: after a forced deletion, Kubernetes starts a second pod
// of the same name, while the first may still be running on a node that is out of reach.
// Assign wraps [ErrIDRange] when there is no such number or it does not fit.
func Ordinal(base int64) Assigner {
	return assigner(func(ctx context.Context, n Need) (Lease, error) {
		name, err := machine.This.HostName()
		if err != nil {
			return nil, fmt.Errorf("worker: this machine has no name: %w", err)
		}
		dash := strings.LastIndexByte(name, '-')
		id, err := strconv.ParseInt(name[dash+1:], 10, 32)
		if dash < 0 || err != nil {
			return nil, fmt.Errorf("%w: %q does not end in a dash and a number, as the pods of a "+
				"StatefulSet do", ErrIDRange, name)
		}
		return Static(base+id).Assign(ctx, n)
	})
}

// FromEnv takes the worker id from an environment variable. The lease is [Unfenced], like
// that of [Static]. Assign wraps [ErrIDRange] when the variable is not a number that fits.
func FromEnv(variable string) Assigner {
	return assigner(func(ctx context.Context, n Need) (Lease, error) {
		text := strings.TrimSpace(os.Getenv(variable))
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: %s is %q: set it to a number from 0 to %d", ErrIDRange, variable,
				text, n.MaxID)
		}
		return Static(id).Assign(ctx, n)
	})
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
