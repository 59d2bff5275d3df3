package policy

import (
	"context"
	"fmt"
	"time"
)

// Reject is what a RejectPut or RejectTake is told. It shows the ring's state, not the
// ring.
type Reject struct {
	// Reason says what the ring is waiting for. For a take it wraps
	// uid.ErrRingEmpty.
	Reason error

	// Left is, for a put, how many ids of the tick did not fit. Zero for a take.
	Left int64

	// Tick is, for a put, the first instant of the tick whose ids did not fit.
	// Zero for a take.
	Tick time.Time

	// Refilled is closed, for a take, when it is the take's turn: there are ids, and the
	// takes that came before it have been told. Nil for a put.
	Refilled <-chan struct{}

	// Waited is, for a take, how long ago it found the ring empty. Each part of a batch
	// counts as a take.
	Waited time.Duration
}

// RejectTake decides what a take does when it finds the ring empty: after nil the take tries
// again, and an error is what the take returns. RejectTake runs on the goroutine that takes
// and may wait, for r.Refilled or anything else, but should return when ctx ends.
type RejectTake func(ctx context.Context, r Reject) error

// Wait waits until the ring has been refilled or ctx ends. It is the default.
func Wait(ctx context.Context, r Reject) error {
	select {
	case <-r.Refilled:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", r.Reason, context.Cause(ctx))
	}
}

// Fail makes the take return the reason, as Baidu's default handler does.
func Fail(_ context.Context, r Reject) error { return r.Reason }

// Verdict is what a [RejectPut] decides about the rest of the tick: true discards it, as
// [Discard] does, and false keeps it, as [Keep] does.
type Verdict bool

// RejectPut decides what happens to the rest of a tick that does not fit into the ring. It
// runs on the goroutine that refills the ring, and should return soon: while it blocks, only
// takes that find the ring empty refill it, old ids are not replaced, and takes that are
// already waiting keep waiting. So it must not wait for an id. It may close the generator.
type RejectPut func(r Reject) Verdict

// Keep puts the rest of the tick at the next refill, so no id is wasted. It is the
// default.
func Keep(Reject) Verdict { return false }

// Discard drops the rest of the tick, as Baidu's default handler does. Each refill ends
// with a rejected put, so each costs up to a whole tick: at low load, every fifth tick if
// eight ticks fill the ring.
func Discard(Reject) Verdict { return true }
