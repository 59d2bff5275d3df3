package uid

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// heldLease is the lease in force. It is replaced as a whole when the lease is lost and
// another has been acquired.
type heldLease struct {
	worker.Lease
	number    int64 // the first is 1
	restores  int64 // what core.restores was when the assigner was asked for it
	abandoned error // why the generator gave it up by itself, as its copy may have it too; or nil

	// From earliest on, all ids are greater than Config.Above. It also keeps an unfenced worker
	// id from repeating what it minted after an earlier start, as long as the clock is not set
	// back in between:
	//
	//	every minted tick >= earliest > the clock's tick when the lease was acquired
	//	every minted tick <= the clock's tick when it was minted, if noBorrow
	//
	// So the ticks of the earlier start, which were minted before this start, lie below
	// earliest.
	earliest int64 // the first tick that may be minted; math.MinInt64: any that is granted
	noBorrow bool
}

// giveBack releases a worker id, in the time that any store that answers needs and that a
// shutdown has. A worker id that a copy of the process may continue to use is not released, or
// another process would get it.
func (k *core) giveBack(h *heldLease, last int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	released := make(chan error, 1)
	go func() {
		err := errNotReleased
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("%w: %v", errNotReleased, v)
			}
			if errors.Is(err, errNotReleased) {
				k.panicked("panic or Goexit in a lease's Release", err)
			}
			released <- err
		}()
		if k.deal(); h.restores == k.restores.Load() {
			err = h.Release(ctx, last)
		} else {
			err = nil
		}
	}()
	select {
	case err := <-released:
		return err
	case <-time.After(closeTime + time.Second/10): // it does not look at ctx
		return context.Cause(ctx)
	}
}

var errNotReleased = errors.New("the lease panicked, or ended the goroutine (runtime.Goexit)")

// closeTime is how long a release may take. Close then waits a second for the log.
const closeTime = 4 * time.Second

// lost returns why the lease grants no more, or nil.
func (h *heldLease) lost() error {
	if h.abandoned != nil {
		return h.abandoned
	}
	return h.Err()
}

// mustFlush reports whether what was granted must not be handed out any more.
func (h *heldLease) mustFlush() bool {
	return h.abandoned != nil || errors.Is(h.Err(), worker.ErrFenced)
}

// Why a generator gives up a worker id that its copy has too. Where the worker id is not fenced,
// whoever assigned it would give the copy the same again.
var (
	errRestored = errors.New(
		"the process was restored from a snapshot, its copy may have the worker id too")
	errUnfenced = errors.New("the machine was copied, and its copy has the same worker id, which is " +
		"not fenced: start the process anew with another one, or take worker.Leased or Disposable")
	errForked = errors.New("the process was forked, and goroutines do not run in the child: load " +
		"what is written in Go after the fork, or ask `ringuid serve`")
)

// ended reports whether the generator makes no more ids.
func (h *heldLease) ended() bool { return h.abandoned == errUnfenced || h.abandoned == errForked }

// afterRestore ends the lease after a restore: it is abandoned, for another worker id if it is
// fenced. After a fork, who renews the lease is gone, and may have kept a lock.
func (h *heldLease) afterRestore(why error) *heldLease {
	if why != errForked {
		h.AfterRestore()
	}
	abandoned := *h
	if abandoned.abandoned = why; h.Class() == worker.Unfenced && why != errForked {
		abandoned.abandoned = errUnfenced
	}
	return &abandoned
}
