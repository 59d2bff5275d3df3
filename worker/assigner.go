package worker

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/worker/store"
)

// Need is what a layout requires of its worker id: see uid.Layout.Need.
type Need struct {
	Unit        time.Duration // length of a tick, 1 ms to 24 h
	MaxID       int64         // the largest worker id that the layout holds
	Fingerprint string        // names the layout, which holders of one worker id must agree on
}

// An Assigner hands out worker ids. A generator calls Assign when it starts, and again
// when its lease is lost. Each call returns a lease of its own. The context bounds only the
// call, not the life of the lease. Assign must return when it ends, and not close the
// generator, whose Close waits for it.
type Assigner interface {
	Assign(ctx context.Context, n Need) (Lease, error)
}

// pool returns the layout's pool, whatever store it is asked of.
func (n Need) pool() store.Pool { return store.Pool{Layout: n.Fingerprint, Unit: n.Unit} }

// assigner is a function that assigns worker ids.
type assigner func(ctx context.Context, n Need) (Lease, error)

func (a assigner) Assign(ctx context.Context, n Need) (Lease, error) { return a(ctx, n) }

// AssignerFunc assigns the worker id that f returns, as assignWorkerId does in Baidu's
// UidGenerator. f is called at each start, and again after a restore of the machine. Its error is
// returned as it is; Assign wraps [ErrIDRange] for a worker id that is not 0 to Need.MaxID. The
// lease is [Unfenced]: f guarantees what [Static] says.
func AssignerFunc(f func(ctx context.Context) (id int64, err error)) Assigner {
	return function(f, Unfenced)
}

// NeverRepeats is [AssignerFunc] for an f that never returns a worker id twice, whatever process
// asks, not even after a crash of what it asks. The lease is [NeverReused].
func NeverRepeats(f func(ctx context.Context) (id int64, err error)) Assigner {
	return function(f, NeverReused)
}

func function(f func(context.Context) (int64, error), class Class) Assigner {
	return assigner(func(ctx context.Context, n Need) (Lease, error) {
		if f == nil {
			return nil, fmt.Errorf("%w: the function that assigns worker ids is nil", ErrClaim)
		}
		id, err := f(ctx)
		if err != nil {
			return nil, err
		}
		if id < 0 || id > n.MaxID {
			return nil, fmt.Errorf("%w: %d, and the layout holds 0 to %d: choose one of these, or a "+
				"layout with more worker bits", ErrIDRange, id, n.MaxID)
		}
		return &forever{id: id, class: class}, nil
	})
}

// Static always assigns id, which must be 0 to Need.MaxID; Assign wraps [ErrIDRange] for any
// other. The lease is [Unfenced]: the caller guarantees that no other process has the id at
// the same time, and that the clock is not set back across a restart.
func Static(id int64) Assigner {
	return AssignerFunc(func(context.Context) (int64, error) { return id, nil })
}

// Ordinal takes the worker id from the number at the end of the host name, as in the names of
// the pods of a Kubernetes StatefulSet: web-0, web-1. base is added to it, to keep several
// sets apart. The lease is [Unfenced]: after a forced deletion, Kubernetes starts a second pod
// of the same name, while the first may still be running on a node that is out of reach. With
// hostNetwork the name is the node's, which may end in a number too: its pods get the same.
// Assign wraps [ErrIDRange] when there is no such number or it does not fit.
func Ordinal(base int64) Assigner {
	return AssignerFunc(func(context.Context) (int64, error) {
		name, err := machine.This.HostName()
		if err != nil {
			return 0, fmt.Errorf("worker: this machine has no name: %w", err)
		}
		dash := strings.LastIndexByte(name, '-')
		id, err := strconv.ParseInt(name[dash+1:], 10, 32)
		// Of a name with a domain, the end may be the domain's: that of all pods.
		if dash < 0 || err != nil || strings.Contains(name, ".") {
			return 0, fmt.Errorf("%w: %q is no name without dots that ends in a dash and a number, as "+
				"those of a StatefulSet's pods", ErrIDRange, name)
		}
		return base + id, nil
	})
}

// FromEnv takes the worker id from an environment variable. The lease is [Unfenced], like
// that of [Static]. Assign wraps [ErrIDRange] when the variable is not a number that fits.
func FromEnv(variable string) Assigner {
	return AssignerFunc(func(context.Context) (int64, error) {
		text := strings.TrimSpace(os.Getenv(variable))
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%w: %s is %q: set it to a number", ErrIDRange, variable, text)
		}
		return id, nil
	})
}
