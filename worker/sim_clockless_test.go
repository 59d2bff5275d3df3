package worker

import (
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/storeclock"
)

// In some worlds the store's writes have no clock, as etcd's and ZooKeeper's: each
// brings the writer's idea of the store's clock, which the store shows with its views.
// There good clocks matter not for what comes twice, but for who is fenced and what is
// parked:
//
//	a row is taken from a holder only when its lease has run out by the store's clock
//	nothing is granted further ahead of that than a window
//	whose clock is further off takes no row
//
// but for what a process cannot know, which is how long its question was under way.

// chooseFaults settles which faults do not go with which.
func (w *world) chooseFaults() {
	o := &w.odds
	if w.clockless = w.IntN(6) == 0; w.clockless {
		// Such stores keep what they acknowledged; a clock of theirs that is set is
		// noticed a minute later; who makes a namespace again has one as any.
		o.storeJump, o.storeDecade, o.rollback, o.rewind, o.vanish, o.found, o.steal = 0, 0, 0, 0, 0, 0, 0
		o.ahead = 300
	}
	if o.found > 0 {
		// What is open after a rewind is reckoned for one namespace. Dropping one is a
		// part of the scenario.
		o.rewind, o.vanish = 0, 0
		w.window = w.someWindow()
	}
}

// storeClock is what a process knows of the store's clock.
type storeClock struct {
	*storeclock.Clock
	blur time.Duration // it may be ahead of it by as much
}

// grain is an HTTP Date's.
const grain = time.Second

func (p *process) newStoreClock() storeClock {
	return storeClock{Clock: storeclock.New(clock.Clock{Wall: p.wall, Mono: p.mono})}
}

// storeTime is the store's clock when a view came that was taken when it showed this.
func (p *process) storeTime(shown time.Time) time.Time {
	if !p.w.clockless {
		return shown
	}
	if _, unread := p.store.Now(); p.store.Due() || unread != nil {
		p.store.Read(p.asked, shown.Truncate(grain), grain)
		p.store.blur = grain + p.mono() - p.asked
	}
	now, _ := p.store.Now()
	return p.w.off.onStoreTime(p, now)
}

// trusts checks the clock of a process that takes a row, having asked for a view and got it.
func (o *oracle) trusts(p *process) {
	ahead, took := p.wall().Sub(o.w.server.now()), p.mono()-p.asked
	if o.w.clockless && !o.w.soft && ahead > time.Duration(o.w.window+1)*simUnit+p.store.blur+took {
		o.w.fail("%v takes a row, and its clock is ahead by %v", p, ahead)
	}
}
