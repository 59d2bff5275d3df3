package uid

import (
	"errors"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/goroutine"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// startFollowing starts follow for the minter of the generator's ids, and again if the user's
// code panics on its goroutine, or ends it.
func (k *core) startFollowing(m minter) {
	k.m = m
	goroutine.Keep(k.life, k.following.Go, k.follow, func(why any) {
		k.panicked("panic or Goexit of a lease, an assigner or a clock; going on", why)
	})
}

// follow keeps the generator on a lease until it closes.
func (k *core) follow() {
	restores := int64(0) // how many have been handled
	for k.life.Err() == nil {
		k.deal() // if nobody takes ids, and the lease was renewed
		h := k.held.Load()
		changed := h.Changed() // before looking, so that no change is missed
		if times := h.Restores(); times != restores {
			restores = times
			k.flush() // the count changed with the grant, which no longer has what was given up
		}
		lost := h.lost()
		if lost == nil {
			k.m.grantChanged()
			select {
			case <-changed:
			case <-k.abandoned:
			case <-k.life.Done():
			}
			continue
		}
		if errors.Is(lost, worker.ErrRolledBack) {
			k.rollbacks.Add(1)
		}
		if h.mustFlush() { // act first, then report
			k.flush()
		}
		k.m.grantChanged()
		if k.conf.OnLeaseLost == policy.GiveUp || h.ended() {
			k.giveUp()
			k.conf.Logger.Error("lost the worker id: no more ids", "worker", h.WorkerID(), "reason", lost)
			return
		}
		k.conf.Logger.Warn("lost the worker id; acquiring another", "worker", h.WorkerID(), "reason",
			lost)
		k.reacquire(h)
		restores = 0 // the new lease counts from 0, and may have counted already
	}
}

// reacquire asks for another worker id until it gets one or the generator is closed, and gives
// the old one back when it has the new one. Meanwhile takes continue with what is left, and
// then wait.
func (k *core) reacquire(lost *heldLease) {
	if lost.abandoned != nil && k.conf.spread > 0 {
		k.pauseCopy()
	}
	failure, begin := asynclog.Failure{Patience: 100 * time.Millisecond}, time.Now()
	ctx := asynclog.Watch(k.life, func(why error) { k.noOther.Store(&why) })
	for attempt := 0; !k.held.Load().ended(); attempt++ {
		restores := k.restores.Load()
		l, err := k.assign(ctx)
		if err == nil {
			var old *heldLease // lost, or what was abandoned since
			next := k.newHeld(l, lost.number+1, restores)
			last := k.m.change(false, func() { old = k.replaceHeld(next) })
			// From now on nothing is minted with the old one. Only Close waits for its release.
			k.releasing.Go(func() { _ = k.giveBack(old, last) })
			k.noOther.Store(nil)
			k.conf.Logger.Info("acquired another worker id", "worker", l.WorkerID(), "class", l.Class())
			return
		}
		k.noOther.Store(&err)
		if k.life.Err() == nil && failure.Meet(time.Since(begin), err) {
			k.conf.Logger.Error("cannot acquire another worker id; retrying", "reason", err)
		}
		select {
		case <-time.After(min(50*time.Millisecond<<min(attempt, 7), 5*time.Second)):
		case <-k.life.Done():
			return
		}
	}
}

// pauseCopy waits a random part of spread, since all copies of a machine ask at once. They may draw
// equal random numbers, but do not read their clocks in the same nanosecond.
func (k *core) pauseCopy() {
	hash := uint64(time.Now().UnixNano()) * 0x9E37_79B9_7F4A_7C15 >> 32
	select {
	case <-time.After(time.Duration(hash % uint64(k.conf.spread))):
	case <-k.life.Done():
	}
}

// replaceHeld puts a lease in force, and returns the one that it replaced. A lease that was on
// its way to this process when its machine was restored is on its way to the copy, too.
func (k *core) replaceHeld(h *heldLease) (old *heldLease) {
	k.replacing.Lock()
	defer k.replacing.Unlock()
	if h.restores != k.restores.Load() {
		h = h.afterRestore(errRestored)
	}
	return k.held.Swap(h)
}

// AfterRestore must be called when the machine was resumed from a snapshot of which another
// copy may run: it gives up the worker id, and drops the ids in the ring. Calls that were in
// progress at the snapshot may still return ids that the copy also returns. With worker.Leased and
// Disposable the generator asks for another worker id after a random part of a second, since all
// copies do; what it gave up stays held until its TTL has passed. A worker id that is not fenced
// ends with ErrLeaseLost, since the copies would go on with the same one.
//
// Config.Generation does this by itself, and before a take returns an id that a copy has.
func (k *core) AfterRestore() { k.m.change(true, func() { k.abandon(errRestored) }) }

// abandon gives up what was granted before a snapshot of the machine, or a fork.
func (k *core) abandon(why error) {
	k.replacing.Lock()
	defer k.replacing.Unlock()
	k.restores.Add(1)
	k.held.Store(k.held.Load().afterRestore(why))
	select {
	case k.abandoned <- struct{}{}:
	default: // one is pending
	}
}
