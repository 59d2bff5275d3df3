package worker

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// What each rule that is switched off changes: of what a process is told, what it says,
// what it holds in between, and of what the store makes of it.

// hear is what a process makes of an answer.
func (m mutation) hear(p *process, asked call, a answer) answer {
	_, writes := asked.(write)
	switch {
	case m == timeoutGrants && writes && a.err != nil:
		return answer{applied: true}
	case len(a.view.Rows) == 0:
	case m == anyHorizon:
		a.view.Now = p.wall()
	case m == ignoreFloor:
		a.view.Floor = a.view.TickAt(a.view.Now)
	case m == adoptForeign && p.keeper != nil:
		p.keeper.h.nonce, p.keeper.h.unknown = a.view.Rows[0].Nonce, nil
	}
	return a
}

// say is what a process makes of a call that is to be made.
func (m mutation) say(p *process, q call) call {
	switch r := q.(type) {
	case raise:
		switch m {
		case floorAtHigh:
			r.Margin--
		case ignoreFloor:
			r.Floor = p.view.Floor
		case leaveFloor:
			r.Floor-- // so that it is not applied
		}
		return r
	case quarantine:
		if m == ownPast {
			r.floor = p.view.Floor + 1 + p.w.slack
		}
		return r
	}
	return q
}

// step is a keeper's.
func (m mutation) step(p *process, at moment, a answer) action {
	k := p.keeper
	spans := slices.Clone(k.h.spans)
	if m == releaseCopy && p.leaving {
		k.h.restores = 0
	}
	if m == oneNonce {
		at.nonce = p.only
	}
	next := k.step(at, a)
	switch {
	case m == giveUp && k.failures > 0 && next.call == nil:
		return over
	case m == neverWake && next.call == nil:
		next.wait = math.MaxInt64 / 2
	}
	if m == keepFenced && k.h.lost != nil && k.h.spans == nil {
		k.h.spans = spans
	}
	return next
}

// release is a keeper's.
func (m mutation) release(p *process, a answer) action {
	last := p.minted
	if m == releaseEarly && last != noTick {
		last--
	}
	return p.keeper.release(a, last)
}

// restore is what AfterRestore does.
func (m mutation) restore(p *process) {
	h := &p.keeper.h
	switch m {
	case ignoreRestore:
		return
	case showRestored:
		h.restore()
		return
	case forgetWrites:
		h.restore()
		h.cloned = h.acked
	default:
		h.restore()
	}
	p.show()
}

// slept lets a process take a gap between its clocks for none.
func (m mutation) slept(p *process, gap time.Duration) {
	if m == ignoreGap {
		p.keeper.gap += gap
		p.untold = false
	}
}

// onFree is the write by which an operator frees a row.
func (m mutation) onFree(w *world, write store.Write) store.Write {
	if m == freeHigh {
		write.High = min(write.High, tickAt(w.server.now()))
	}
	return write
}

// onWrite is the write that the store is given.
func (m mutation) onWrite(s *server, before store.View, w store.Write) store.Write {
	switch m {
	case anyNonce:
		w.Expect = []store.Nonce{before.Rows[0].Nonce}
	case anyHorizon, lowerHigh:
		if !w.Release {
			w.High = min(w.High, tickAt(s.now())+before.Window)
		}
	case ignoreFloor:
		w.Floor = before.Floor
	case floorUnseen:
		w.Floor, w.Epoch = before.Floor, before.Epoch
	}
	return w
}

// onApplied changes what the store made of it.
func (m mutation) onApplied(s *server, before store.View, w store.Write) {
	if w.Release {
		return
	}
	s.mem.Edit(w.Namespace, w.Worker, func(r *store.Row) {
		switch m {
		case lowerHigh:
			r.High = tickAt(s.now()) + before.Window
		case anyHorizon:
			r.High = max(r.High, w.High)
		}
	})
}

func (m mutation) onRestart(s *server) {
	if m != sameServer {
		s.mem.Restart(fmt.Sprint("server ", s.incarnation))
	}
}

// onAcquired changes what a process begins with.
func (m mutation) onAcquired(p *process) {
	k := p.keeper
	switch m {
	case ignoreHigh:
		k.h.spans[0].lo = min(k.h.spans[0].lo, tickAt(p.w.server.now()))
	case forgetPast:
		k.c.rollback = new(rollback)
	case oneNonce:
		p.only = p.claim.nonce()
	}
}

// onFloor is where a namespace begins that somebody makes again.
func (m mutation) onFloor(n Namespace, o InitOptions,
	floor func(time.Time) int64) func(time.Time) int64 {
	switch {
	case m == newWindow:
		return func(now time.Time) int64 {
			return n.TickAt(now) + n.Window + store.SlackTicks(o.Slack, n.Unit)
		}
	case m == believeFresh && o.Fresh:
		return n.TickAt
	case m == floorInGrant:
		return func(now time.Time) int64 { return floor(now) - 1 }
	}
	return floor
}

// onStoreTime is what a process takes for the time of a store whose writes have no
// clock.
func (m mutation) onStoreTime(p *process, now time.Time) time.Time {
	if m == ownClock {
		return p.wall()
	}
	return now
}
