package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/worker/store"
)

// startFor is how long Assign tries if its context has no deadline.
const startFor = time.Minute

// briefFailure is how long Assign tries without a line in the log.
const briefFailure = 2 * time.Second

// lasting are the errors that another attempt would only meet again. Any other may go away: a
// server that starts, fails over, or has no connection left, and a worker id that another process
// has.
var lasting = []error{ErrStore, ErrDenied, ErrClaim, ErrClock, ErrOverlap, ErrNoTables, ErrIDRange,
	ErrOtherLayout, ErrRolledBack}

// persist calls attempt until it succeeds, meets a lasting error, or its time is over: ctx ends, or
// startFor has passed and ctx has no deadline. Its error has the cause, and says which it was.
func persist(ctx context.Context, log *slog.Logger, attempt func() error) (cause error) {
	_, bounded := ctx.Deadline()
	failure := asynclog.Failure{Patience: briefFailure}
	for begin := time.Now(); ; {
		err := attempt()
		if err == nil || slices.ContainsFunc(lasting, func(e error) bool { return errors.Is(err, e) }) {
			return err
		}
		// What the end of ctx made of the last attempt says less than the one before it, unless
		// that attempt waited for a worker id.
		if cause == nil || ctx.Err() == nil || errors.Is(err, ErrAllHeld) {
			cause = err
			asynclog.Tell(ctx, cause)
		}
		if ctx.Err() == nil && failure.Meet(time.Since(begin), cause) {
			log.Warn("cannot take a worker id yet; retrying", "reason", cause)
		}
		select {
		case <-time.After(backOff(failure.Met, store.Nonce{byte(rand.Uint32())})):
		case <-ctx.Done():
		}
		switch tried := time.Since(begin); {
		case ctx.Err() != nil:
			return fmt.Errorf("%w; gave up after %v, when the context of the start ended: %w", cause,
				tried.Round(time.Millisecond), context.Cause(ctx))
		case !bounded && tried >= startFor:
			return fmt.Errorf("%w; gave up after %v: a start whose context has no deadline lasts %v", cause,
				tried.Round(time.Millisecond), startFor)
		}
	}
}
