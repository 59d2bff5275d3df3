package worker

import (
	"context"
	"errors"
	"time"
)

// ErrRange is wrapped by an Assigner whose worker id does not fit the layout, and
// by Static for a negative one.
var ErrRange = errors.New("worker: worker id out of range")

// Need is what a layout asks of an Assigner.
type Need struct {
	Unit        time.Duration // length of a tick, 1 ms to 24 h
	MaxID       int64         // the largest worker id that the layout holds
	Fingerprint string        // names the layout: holders of one worker id must agree on it
}

// An Assigner hands out worker ids. Assign is called once when a generator
// starts, and again when a lost lease is to be replaced. The context bounds the
// call alone, not the life of the lease.
type Assigner interface {
	Assign(ctx context.Context, n Need) (Lease, error)
}
