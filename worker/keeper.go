package worker

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/internal/notice"
	"github.com/ringuid/ringuid/worker/store"
)

// keeper is a Lease of a Store: on a goroutine of its own it keeps the row alive
// and the grant ahead of the generator. What may be believed is holder's to
// decide; here is when to ask, and what to tell.
type keeper struct {
	store Store
	c     Claim
	class Class

	mu   sync.Mutex
	h    holder
	now  time.Time     // the store's clock as the last view showed it,
	at   time.Duration // at this moment of the monotonic clock
	beat time.Duration // of the last write that was acknowledged
	gap  time.Duration // wall minus monotonic clock when last looked
	edit string        // the alarm that was told last

	// Of run's alone.
	failure notice.Failure // the lease cannot be renewed
	mourned bool           // it was told that the lease is lost

	cursor  atomic.Int64 // the highest tick that was wanted
	shown   atomic.Pointer[shown]
	changed broadcast.Signal

	kick    chan struct{}
	ctx     context.Context // ends with Release
	cancel  context.CancelFunc
	done    chan struct{}
	closing sync.Once
	closed  error
}

// shown is what Grant, Err and Restores answer. It changes as a whole: whoever sees
// that a restore was counted sees that what was granted before is given up.
type shown struct {
	lo, hi   int64
	renew    int64 // a tick above it has to be told to run
	err      error
	restores int64
}

// clockGap is how far wall and monotonic clock may drift apart between two looks
// before the machine counts as restored from a snapshot or set.
const clockGap = 2 * time.Second

func keep(s Store, c Claim, class Class, h holder, v store.View) *keeper {
	k := &keeper{
		store: s, c: c, class: class, h: h,
		now: v.Now, at: c.clock.Mono(), beat: c.clock.Mono(), gap: c.clock.Gap(),
		failure: notice.Failure{Patience: c.TTL / 6},
		kick:    make(chan struct{}, 1),
		done:    make(chan struct{}),
	}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.cursor.Store(noTick)
	k.publish()
	until := k.h.until()
	go k.run()
	c.Logger.Info("worker id leased", "worker", h.worker, "namespace", h.ns.Name, "class", class, "until", until)
	return k
}

func (k *keeper) WorkerID() int64          { return k.h.worker }
func (k *keeper) Class() Class             { return k.class }
func (k *keeper) Changed() <-chan struct{} { return k.changed.Next() }
func (k *keeper) Err() error               { return k.shown.Load().err }

func (k *keeper) Grant() (lo, hi int64) {
	s := k.shown.Load()
	return s.lo, s.hi
}

// Want notes tick, or the first one that is not granted: a generator whose clock
// went ahead for a moment shall not ask for the years until then ever after.
func (k *keeper) Want(tick int64) {
	s := k.shown.Load()
	wanted := min(tick, s.hi+1)
	for {
		c := k.cursor.Load()
		if wanted <= c {
			return
		}
		if k.cursor.CompareAndSwap(c, wanted) {
			break
		}
	}
	if wanted > s.renew {
		k.poke()
	}
}

func (k *keeper) poke() {
	select {
	case k.kick <- struct{}{}:
	default:
	}
}

// AfterRestore tells the lease that this process may be a copy of another, made
// by a snapshot of its machine: what is left of the grant is given up, and later
// ones begin above it.
func (k *keeper) AfterRestore() {
	k.mu.Lock()
	k.h.restore()
	k.publish()
	k.mu.Unlock()
	k.poke()
}

// Restores counts the times that what was granted had to be given up, told by
// AfterRestore or found out by the clocks: ids made before are not to be handed
// out.
func (k *keeper) Restores() int64 { return k.shown.Load().restores }

// publish shows what h holds. The caller has the lock.
func (k *keeper) publish() {
	k.h.want(k.cursor.Load())
	s := &shown{err: k.h.lost, restores: k.h.restores}
	s.lo, s.hi = k.h.grant()
	s.renew = min(s.hi, k.h.enough())
	was := k.shown.Swap(s)
	if was != nil && (was.lo != s.lo || was.hi != s.hi || was.err != s.err || was.restores != s.restores) {
		k.changed.Send()
	}
}

// run renews until the lease is lost or released.
func (k *keeper) run() {
	defer close(k.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for failures := 0; ; {
		wait := k.untilDue()
		kick := k.kick
		if failures > 0 { // whoever wants more waits for the store like everybody
			wait, kick = k.c.backOff(failures), nil
		}
		timer.Reset(wait)
		select {
		case <-kick:
		case <-timer.C:
		case <-k.ctx.Done():
			return
		}
		k.lookAtClocks()
		if failures == 0 && k.untilDue() > 0 {
			continue
		}
		err := k.renew()
		k.report(err)
		switch lost := k.Err(); {
		case k.ctx.Err() != nil:
			return
		case lost != nil && (err == nil || !errors.Is(lost, ErrRolledBack)):
			return // else the floor is still to be lifted
		case err != nil:
			failures++
		default:
			failures = 0
		}
	}
}

// untilDue is how long until the row has to be written: for a sign of life, or
// because the generator wants more than half of what is left and the store may
// grant it.
func (k *keeper) untilDue() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.publish() // the cursor may have come to a later span
	mono := k.c.clock.Mono()
	due := k.beat + k.c.TTL/3 - mono
	if k.h.hungry(k.cursor.Load()) {
		// A grant grows with the store's clock. A generator that uses it up at
		// once must not write for each tick of it.
		// In a new epoch nothing is granted below the floor.
		least := max(k.h.acked+max(1, k.h.ns.Window/64), k.h.ns.Floor)
		horizon := k.h.ns.TickAt(k.now.Add(mono-k.at)) + k.h.ns.Window
		due = min(due, time.Duration(least-horizon)*k.h.ns.Unit)
	}
	return max(due, 0)
}

// lookAtClocks finds out a machine that slept, was restored, or whose clock was
// set, by its wall clock and its monotonic clock having gone apart. Most of these
// did not clone the process; giving up the rest of a grant is cheap.
func (k *keeper) lookAtClocks() {
	gap := k.c.clock.Gap()
	k.mu.Lock()
	jumped := gap - k.gap
	k.gap = gap
	k.mu.Unlock()
	if jumped.Abs() > clockGap {
		k.AfterRestore()
		k.c.Logger.Warn("the clock jumped: the machine may have been restored, so the rest of the grant was given up", "worker", k.h.worker, "by", jumped)
	}
}

// report tells what is news: that the lease cannot be renewed and why, that it can
// be again, that it is lost.
func (k *keeper) report(err error) {
	log := k.c.Logger.With("worker", k.h.worker, "namespace", k.c.Namespace)
	if lost := k.Err(); lost != nil && !k.mourned {
		k.mourned = true
		log.Error("the lease on the worker id is lost", "reason", lost)
	}
	switch {
	case k.ctx.Err() != nil:
	case err != nil && k.failure.Meet(k.c.clock.Mono(), err):
		if k.mourned {
			log.Error("the floor of the namespace is not lifted yet", "reason", err)
			return
		}
		k.mu.Lock()
		until := k.h.until()
		k.mu.Unlock()
		log.Warn("the lease cannot be renewed; what was granted goes on", "until", until, "reason", err)
	case err == nil && k.failure.End() && !k.mourned:
		log.Info("the lease is renewed again")
	}
}
