package worker

import (
	"time"
)

// In some worlds the store's writes have no clock, as etcd's and ZooKeeper's: each
// brings the writer's idea of the store's clock, which the store shows with its views.
// There good clocks matter not for what comes twice, but for who is fenced and what is
// not grantable yet:
//
//	a row is taken from a holder only when its lease has run out by the store's clock
//	nothing is granted further ahead of that than a window
//	whose clock is further off takes no row
//
// but for what a process cannot know, which is how long its question was under way.

// chooseFaults settles which faults do not go with which.
func (w *world) chooseFaults() {
	o := &w.odds
	if w.clockless = w.IntN(6) == 0 || w.documents; w.clockless {
		// Such stores keep what they acknowledged; a clock of theirs that is set is
		// noticed a minute later. What a process knows of it is as exact as its question
		// was short, and twice that is the least slack.
		o.storeJump, o.storeDecade, o.rollback, o.rewind, o.steal = 0, 0, 0, 0, 0
		o.ahead = 300
		w.timeout = min(w.timeout, w.unit)
		w.slack = 3
	}
	if o.quarantine > 0 && w.IntN(2) == 0 {
		// Rows are deleted by that command alone, and it reads what is there now.
		o.rollback, o.rewind, o.remove, o.layout, o.stale = 0, 0, 0, 0, 0
	} else {
		o.quarantine = 0
	}
	if !w.clockless {
		w.alone = w.Int64N(3)
		w.disagree = w.IntN(3) == 0 && o.layout == 0 // the slack is that of one layout's pool
	}
	if o.layout > 0 {
		// What is open after a rewind is reckoned for one layout. A view of the past does
		// not show who else is in the place.
		o.rewind, o.stale = 0, 0
	}
	if w.documents {
		o.stale, o.clone = 0, 0
		o.restore = w.IntN(2) * 4
		w.pace, w.timeout, w.slack, w.latency = 0, 4*w.unit, 10, 20*time.Millisecond
	}
	w.plain = o.stale == 0 ||
		o.double+o.storeJump+o.storeDecade+o.restart+o.rollback+o.remove == 0
}

// told is what a process knows of the store's clock when an answer comes that showed this: it
// is shown in whole seconds, as in an HTTP Date, of some moment since the question was sent.
func (p *process) told(shown time.Time) time.Time {
	p.blur = time.Second + p.mono() - p.asked
	if p.w.documents {
		return shown
	}
	return shown.Truncate(time.Second)
}

// storeTime is the store's clock when a view came that was taken when it showed this.
func (p *process) storeTime(shown time.Time) time.Time {
	if !p.w.clockless {
		return shown
	}
	shown = p.told(shown)
	if p.w.documents { // it has reckoned itself
		return shown
	}
	p.read = p.read.Next(shown, time.Second, p.mono())
	return p.w.off.onStoreTime(p, p.read.Now)
}

// storeUpper is the latest time that the store's clock can show when it has told this.
func (p *process) storeUpper(shown time.Time) time.Time {
	if !p.w.clockless {
		return shown
	}
	shown = p.told(shown)
	if p.w.documents {
		return shown
	}
	return shown.Add(p.blur)
}

// trusts checks the clock of a process that takes a row, having asked for a view and got it.
func (o *oracle) trusts(p *process) {
	ahead, took := p.wall().Sub(o.w.server.now()), p.mono()-p.asked
	if o.w.clockless && !o.w.soft && ahead > time.Duration(o.w.window+1)*o.w.unit+p.blur+took {
		o.w.fail("%v takes a row, and its clock is ahead by %v", p, ahead)
	}
}
