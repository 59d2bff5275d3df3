package uid

import (
	"fmt"
	"math"
	"time"
)

// Baidu's padder counts its own seconds: each refill mints the next ones, whatever the
// clock says, so an idle process hands out ids with old times. Ours mints
//
//	next = max(minted+1, now, the first tick that the lease grants)
//
// within three bounds: the layout's last tick, what the lease grants, and MaxAhead, or the clock
// itself where nothing may be borrowed. At any of them minting pauses until it may go on.

// next returns the tick to mint, or why there is none now.
func (m *mint) next() (tick int64, why *pause) {
	h := m.held.Load()
	lo, hi, reason, final := m.granted(h)
	present := m.layout.unixTick(m.now)
	tick = max(m.minted.Load()+1, present, lo)
	latest, ahead := int64(math.MaxInt64), m.conf.MaxAhead
	if h.noBorrow {
		ahead = 0
	}
	if h.noBorrow || ahead > 0 {
		latest = m.layout.unixTick(m.now.Add(ahead))
	}
	switch {
	case final && (tick > hi || m.minted.Load() == hi): // it may be the clock that is wrong
		err := fmt.Errorf("%w (the clock shows %s)", reason, m.now.UTC().Format(time.RFC3339Nano))
		why = &pause{err: err, final: true}
	case tick > hi:
		why = &pause{err: m.ungrantedAbove(h, lo, hi, reason), news: "the worker id's lease"}
		if tick > present {
			why.until = m.layout.tickStart(tick)
		}
	case tick > latest:
		why = m.early(tick, latest, ahead)
	}
	h.Want(tick)
	return tick, why
}

// early returns the pause for a tick after the latest that may be minted now, because of
// MaxAhead or because the worker id may not borrow: then ahead is 0. If a tick after the
// latest was minted before, the clock was set back.
func (m *mint) early(tick, latest int64, ahead time.Duration) *pause {
	w := &pause{until: m.layout.tickStart(tick).Add(-ahead), ahead: true}
	bound := ahead.String()
	if ahead == 0 {
		bound = "0s, as this worker id may not borrow"
	}
	if m.logged.back > 0 && m.minted.Load() > latest {
		bound += fmt.Sprintf("; the clock was set back by about %v", m.logged.back)
		if !m.logged.backLogged {
			w.news = "the clock, which was set back"
		}
	}
	w.err = fmt.Errorf("%w, %s: the next ids can be made at %s", ErrAhead, bound,
		w.until.Format(time.RFC3339Nano))
	return w
}

// setPause notes why nothing is minted, or that minting has resumed, and logs it when that is
// new: takes wait for it, or will once the ring is empty. It does not log every second, since
// a load that uses all that is granted waits again and again, nor what lasts less than a second
// while there are ids: after a restart of the store, it is some microseconds.
func (m *mint) setPause(next *pause) {
	was, logged := m.pause, &m.logged
	m.pause = next
	if next != nil {
		if next.since = m.now; was != nil {
			next.since = was.since
		}
	}
	switch {
	case next == nil:
		if logged.paused {
			logged.paused = false
			m.conf.Logger.Info("ids can be made again")
		}
	case next.final:
		if was == nil || !was.final {
			m.conf.Logger.Error("no more ids can be made", "reason", next.err)
		}
	case logged.paused || m.now.Sub(logged.pausedAt).Abs() < time.Minute:
	case next.news != "" &&
		(m.used() == 0 || next.until.IsZero() && m.now.Sub(next.since) >= time.Second):
		logged.paused, logged.pausedAt = true, m.now
		m.conf.Logger.Warn("no new ids: waiting for "+next.news, "ready", m.ring.Left(),
			"reason", next.err)
	}
}

// look notes whether the clock was set back. It logs once that the next ids are far ahead of
// the clock, and once that the clock has caught up with them: a load that borrows all the
// time, and one that does so now and then, are worth a line each.
func (m *mint) look() {
	layout, logged := m.layout, &m.logged
	if present := layout.unixTick(m.now); present >= logged.shown {
		logged.shown, logged.back = present, 0
	} else {
		logged.back = max(logged.back, layout.tickStart(logged.shown).Sub(layout.tickStart(present)))
	}
	tick := m.minted.Load() // if there is none, it is long ago
	if next, ok, _ := m.ring.Front(); ok {
		tick = m.tickOf(next)
	}
	begin := layout.tickStart(tick)
	// far exceeds the time for which a lease grants ticks in advance, one minute or two ticks, by at
	// least as much as the clocks of its store and of the machine may differ. Using all that was
	// granted, as any burst may, and a new pool does, is no news.
	far := max(time.Minute, 4*layout.Unit) + 5*time.Second
	switch ahead := begin.Sub(m.now); {
	case logged.farAhead && ahead <= 0:
		logged.farAhead, logged.backLogged = false, false
		m.conf.Logger.Info("the clock has caught up with the ids")
	case !logged.farAhead && ahead > far:
		logged.farAhead, logged.backLogged = true, logged.back > 0
		m.conf.Logger.Warn("ids are far ahead of the clock", "ahead", ahead.Round(time.Millisecond),
			"until", begin, "set_back", logged.back, "may_borrow", !m.held.Load().noBorrow)
	}
}
