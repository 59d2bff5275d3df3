package worker

import (
	"context"
	"errors"
	"time"
)

// ErrRange is wrapped by Assign when the worker id does not fit the layout.
var ErrRange = errors.New("worker: worker id out of range")

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

// pool is the layout's pool in whatever store it is asked of.
func (n Need) pool() Pool { return Pool{Layout: n.Fingerprint, Unit: n.Unit} }
