package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/internal/notice"
)

// held is a Lease of a Store: it drives a keeper on a goroutine of its own, and shows
// generators what it holds.
type held struct {
	store Store
	c     Claim
	class Class

	mu     sync.Mutex
	keeper keeper

	cursor  atomic.Int64 // the highest tick that was wanted
	shown   atomic.Pointer[shown]
	changed broadcast.Signal

	kick       chan struct{}
	ctx        context.Context // ends with Release
	cancel     context.CancelFunc
	done       chan struct{}
	unfinished answer // of the call that was under way then
	closing    sync.Once
}

// shown is what Grant, Err and Restores answer. It changes as a whole: whoever sees
// that a restore was counted sees that what was granted before is given up.
type shown struct {
	lo, hi   int64
	renew    int64 // a tick above it has to be told to the keeper
	err      error
	restores int64
}

// shows is what the keeper shows a generator that has come to cursor.
func (k *keeper) shows(cursor int64) shown {
	k.h.want(cursor)
	lo, hi := k.h.grant()
	return shown{lo: lo, hi: hi, renew: min(hi, k.h.enough()), err: k.h.lost, restores: k.h.restores}
}

// wants is what a generator that wants tick wants of this grant: tick, or the first
// one that is not granted. A generator whose clock went ahead for a moment shall not
// ask for the years until then ever after.
func (s shown) wants(tick int64) int64 { return min(tick, s.hi+1) }

func hold(s Store, c Claim, class Class, k keeper) *held {
	l := &held{store: s, c: c, class: class, keeper: k, kick: make(chan struct{}, 1), done: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.cursor.Store(noTick)
	l.publish()
	c.Logger.Info("worker id leased", "worker", k.h.worker, "namespace", k.h.ns.Name, "class", class, "until", k.h.until())
	go l.run()
	return l
}

func (l *held) WorkerID() int64          { return l.keeper.h.worker }
func (l *held) Class() Class             { return l.class }
func (l *held) Changed() <-chan struct{} { return l.changed.Next() }
func (l *held) Err() error               { return l.shown.Load().err }

func (l *held) Grant() (lo, hi int64) {
	s := l.shown.Load()
	return s.lo, s.hi
}

// Want notes what is wanted, and wakes the keeper when that is news to it.
func (l *held) Want(tick int64) {
	s := l.shown.Load()
	wanted := s.wants(tick)
	for {
		c := l.cursor.Load()
		if wanted <= c {
			return
		}
		if l.cursor.CompareAndSwap(c, wanted) {
			break
		}
	}
	if wanted > s.renew {
		l.poke()
	}
}

func (l *held) poke() {
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

// AfterRestore tells the lease that this process may be a copy of another, made
// by a snapshot of its machine: what is left of the grant is given up, and later
// ones begin above it.
func (l *held) AfterRestore() {
	l.mu.Lock()
	l.keeper.h.restore()
	l.publish()
	l.mu.Unlock()
	l.poke()
}

// Restores counts the times that what was granted had to be given up, told by
// AfterRestore or found out by the clocks: ids made before are not to be handed
// out.
func (l *held) Restores() int64 { return l.shown.Load().restores }

// publish shows what the keeper holds. The caller has the lock.
func (l *held) publish() {
	s := l.keeper.shows(l.cursor.Load())
	was := l.shown.Swap(&s)
	if was != nil && (was.lo != s.lo || was.hi != s.hi || was.err != s.err || was.restores != s.restores) {
		l.changed.Send()
	}
}

// step makes a step of the keeper, and shows what came of it.
func (l *held) step(a answer) action {
	return l.next(func(at moment) action { return l.keeper.step(at, a) })
}

func (l *held) next(step func(at moment) action) action {
	at := l.c.moment(l.cursor.Load())
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.publish()
	return step(at)
}

// run drives the keeper until the lease is lost or released.
func (l *held) run() {
	defer close(l.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for next := l.step(answer{}); !next.over; {
		var a answer
		if next.call != nil {
			a = l.c.do(l.ctx, l.store, next.call)
		} else {
			kick := l.kick
			if next.deaf {
				kick = nil
			}
			timer.Reset(next.wait)
			select {
			case <-kick:
			case <-timer.C:
			case <-l.ctx.Done():
			}
		}
		if l.ctx.Err() != nil {
			l.unfinished = a
			return
		}
		next = l.step(a)
	}
}

// Release gives the row back, so that the next holder starts at once behind last.
func (l *held) Release(ctx context.Context, last int64) error {
	l.closing.Do(func() {
		l.cancel()
		<-l.done
		next := l.next(func(moment) action { return l.keeper.release(l.unfinished, last) })
		for !next.over {
			next = l.step(l.c.do(ctx, l.store, next.call))
		}
	})
	notice.FlushSoon(l.c.Logger) // whoever closes may be about to exit
	return l.keeper.err
}
