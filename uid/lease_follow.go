package uid

import (
	"context"
	"errors"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/goroutine"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// minter is what each generator does in its own way.
type minter interface {
	// span takes up to limit ids that lie in a row: n of them, from first on.
	span(ctx context.Context, limit int) (first ID, n int, err error)
	// ready says why there is no id now without waiting; nil if there is one.
	ready() *block
	// count fills in what only this generator has.
	count(*Stats)
	// stop ends minting for good.
	stop()
	// grantChanged says that there may be more to mint, or less.
	grantChanged()
	// change calls do, which may put another lease in force. Whatever is minted from then on
	// lies above every tick minted before (I11 of package worker's rules). change returns the
	// highest of those: the previous lease has stopped minting there. With drop, ids that were
	// made and not handed out are dropped.
	change(drop bool, do func()) (last int64)
	// lastMinted returns the highest tick of which an id was made; math.MinInt64 for none.
	lastMinted() int64
}

// startFollowing starts follow, and again if the user's code ends its goroutine.
func (k *core) startFollowing() {
	goroutine.Keep(k.life, k.following.Go, k.follow, func() {
		k.faults.Add(1)
		k.c.Logger.Error("a lease, an assigner or a clock ended the goroutine that follows the lease " +
			"(runtime.Goexit); going on")
	})
}

// follow keeps the generator on a lease until it closes.
func (k *core) follow() {
	m := k.m
	restores := int64(0) // how many have been handled
	for k.life.Err() == nil {
		h := k.held.Load()
		changed := h.Changed() // before looking, so that no change is missed
		if times := h.Restores(); times != restores {
			restores = times
			k.flush() // the count changed with the grant, which no longer has what was given up
		}
		lost := h.lost()
		if lost == nil {
			m.grantChanged()
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
		m.grantChanged()
		if k.c.OnLeaseLost == policy.GiveUp {
			k.giveUp()
			k.c.Logger.Error("lost the worker id, and OnLeaseLost is GiveUp: no more ids", "worker",
				h.WorkerID(), "reason", lost)
			return
		}
		k.c.Logger.Warn("lost the worker id; acquiring another", "worker", h.WorkerID(), "reason", lost)
		k.reacquire(h)
		restores = 0 // the new lease counts from 0, and may have counted already
	}
}

// reacquire asks for another worker id until it gets one or the generator is closed, and gives
// the old one back when it has the new one. Meanwhile takes continue with what is left, and
// then wait.
func (k *core) reacquire(lost *heldLease) {
	failure, begin := asynclog.Failure{Patience: 100 * time.Millisecond}, time.Now()
	ctx := asynclog.Watch(k.life, func(why error) { k.noOther.Store(&why) })
	for attempt := 0; ; attempt++ {
		restores := k.restores.Load()
		l, err := k.assign(ctx)
		if err == nil {
			// The replaced lease may have been abandoned since it was lost.
			old, last := k.replaceLease(k.hold(l, lost.number+1, restores))
			// From now on nothing is minted with the old one. Only Close waits for its release.
			k.releasing.Go(func() { _ = old.giveBack(last) })
			k.noOther.Store(nil)
			k.c.Logger.Info("acquired another worker id", "worker", l.WorkerID(), "class", l.Class())
			return
		}
		k.noOther.Store(&err)
		if k.life.Err() == nil && failure.Meet(time.Since(begin), err) {
			k.c.Logger.Error("cannot acquire another worker id; retrying", "reason", err)
		}
		select {
		case <-time.After(min(50*time.Millisecond<<min(attempt, 7), 5*time.Second)):
		case <-k.life.Done():
			return
		}
	}
}

// flush drops ids that were made and not handed out.
func (k *core) flush() { k.m.change(true, func() {}) }

// replaceLease puts a lease in force. Ids that were made with the previous one remain valid.
func (k *core) replaceLease(h *heldLease) (old *heldLease, last int64) {
	last = k.m.change(false, func() { old = k.replaceHeld(h) })
	return old, last
}

// replaceHeld puts a lease in force, and returns the one that it replaced. A lease that was on
// its way to this process when its machine was restored is on its way to the copy, too.
func (k *core) replaceHeld(h *heldLease) (old *heldLease) {
	k.replacing.Lock()
	defer k.replacing.Unlock()
	if h.restores != k.restores.Load() {
		h = h.afterRestore()
	}
	return k.held.Swap(h)
}

// restored gives up what was granted before a snapshot of the machine.
func (k *core) restored() {
	k.replacing.Lock()
	defer k.replacing.Unlock()
	k.restores.Add(1)
	k.held.Store(k.held.Load().afterRestore())
	select {
	case k.abandoned <- struct{}{}:
	default: // one is pending
	}
}

// afterRestore returns the lease to use after a restore. One that stays safe begins above what
// it granted; any other is abandoned for a new worker id.
func (h *heldLease) afterRestore() *heldLease {
	if h.AfterRestore() {
		return h
	}
	abandoned := *h
	abandoned.abandoned = true
	return &abandoned
}
