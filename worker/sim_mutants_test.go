package worker

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// What each rule that is switched off changes: of what a process is told, what it says,
// what it holds in between, and of what the store makes of it.

// hear is what a process makes of an answer.
func (m mutation) hear(p *process, asked any, a answer) answer {
	_, writes := asked.(store.Write)
	if m == believeGone {
		if _, looks := asked.(lookup); looks && p.purged {
			a.view.Rows, a.view.Others = nil, nil
		}
		_, p.purged = asked.(purge)
	}
	switch {
	case m == timeoutGrants && writes && a.err != nil:
		return answer{applied: true}
	case m == keptTime && !a.now.IsZero() && !p.kept.IsZero():
		a.now = p.kept.Add(p.mono() - p.keptAt)
	case len(a.view.Rows) == 0:
	case m == anyHorizon:
		a.view.Now = p.wall()
	case m == ignoreFloor, m == keepOwnRow && p.keeper != nil && p.keeper.owns(a.view):
		a.view.Floor = min(a.view.Floor, a.view.TickAt(a.view.Now))
	case m == madeAgain && p.keeper != nil && a.view.Rows[0].Renewed.IsZero():
		a.view.Rows = slices.Clone(a.view.Rows)
		a.view.Rows[0].Open = false // then nobody compares its High
	case m == adoptForeign && p.keeper != nil:
		p.keeper.h.latest.Nonce, p.keeper.h.unknown = a.view.Rows[0].Nonce, nil
	}
	return a
}

// say is what a process makes of a call that is to be made.
func (m mutation) say(p *process, q any) any {
	switch r := q.(type) {
	case creation:
		p.kept, p.keptAt = p.view.Now, p.mono()
		if m == sameCreation {
			r.nonce = store.Nonce{1}
		}
		return r
	case opening:
		if m == timeBeforeRow && !p.kept.IsZero() {
			r.opened.High = grants.Opening(r.Pool, p.kept, time.Duration(p.w.slack)*p.w.unit)
		}
		return r
	case raising:
		switch {
		case m == headAtNow && r.was.Epoch == "":
			r.ahead = 0
		case m == floorAtHigh:
			r.ahead--
		case m == ignoreFloor, m == keepOwnRow:
			r.was.Floor = p.view.Floor
		case m == floorAtStart:
			r.ahead -= int64((p.w.now - p.w.server.started) / r.Unit)
		case m == leaveFloor:
			r.was.Floor-- // so that it is not applied
		}
		return r
	case store.Write:
		if m == storeClock && !r.Acquire && !r.Release {
			r.High = max(r.High, p.w.tickAt(p.view.Now)+p.w.window)
		}
		return r
	}
	return q
}

// slackOf changes the slack that a call of a process allows for.
func (m mutation) slackOf(p *process, q any) any {
	missing := int64(0)
	switch m {
	case ownSlack:
		missing = p.w.slack - int64(p.claim.Slack/p.w.unit)
	case noAlone:
		missing = p.w.alone
	}
	switch r := q.(type) {
	case opening:
		r.opened.High -= missing
		return r
	case raising:
		r.ahead -= missing
		return r
	}
	return q
}

// step is a keeper's.
func (m mutation) step(p *process, at moment, a answer) action {
	k := p.keeper
	spans, restores := slices.Clone(k.h.spans), k.h.restores
	if m == releaseCopy && p.leaving {
		k.h.restores = 0
	}
	switch m {
	case oneNonce:
		at.nonce = p.only
	case fenceAtOnce:
		k.h.missed = true
	case forgetOlder:
		k.h.unknown = k.h.unknown[max(0, len(k.h.unknown)-1):]
	}
	next := p.keep(at, a)
	switch {
	case m == forgetWrites && k.h.restores > restores:
		k.h.cloned = k.h.acked
	case m == giveUp && k.failure.Met > 0 && next.call == nil:
		return action{over: true}
	case m == neverWake && next.call == nil:
		next.wait = math.MaxInt64 / 2
	}
	if m == keepFenced && k.h.lost != nil && k.h.spans == nil {
		k.h.spans = spans
	}
	return next
}

// release is a keeper's.
func (m mutation) release(p *process, at moment, a answer) action {
	last := p.minted
	if m == releaseEarly && last != noTick {
		last--
	}
	return p.release(last, at, a)
}

// restore is what AfterRestore does.
func (m mutation) restore(p *process) {
	h := &p.keeper.h
	switch m {
	case ignoreRestore:
		return
	case showRestored:
		h.giveUp()
		return
	case contest:
		h.restore()
	default:
		h.giveUp()
	}
	p.show()
}

// slept lets a process take a gap between its clocks for none.
func (m mutation) slept(p *process, gap time.Duration) {
	if m == ignoreGap {
		p.keeper.checked.wall = p.keeper.checked.wall.Add(gap)
		p.untold = false
	}
}

// onWrite is the write that the store is given.
func (m mutation) onWrite(s *server, before store.View, w store.Write) store.Write {
	switch m {
	case anyNonce:
		w.Expect = []store.Nonce{before.Rows[0].Nonce}
	case anyHorizon, lowerHigh:
		if !w.Release {
			w.High = min(w.High, s.w.tickAt(s.now())+before.Window())
		}
	case ignoreFloor, keepOwnRow:
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
	s.mem.Edit(w.Layout, w.Worker, func(r *store.Row) bool {
		switch m {
		case lowerHigh:
			r.High = s.w.tickAt(s.now()) + before.Window()
		case anyHorizon:
			r.High = max(r.High, w.High)
		}
		return true
	})
}

// owns: the row is as this holder last wrote it, and nobody may have acquired it since.
func (k *keeper) owns(v store.View) bool {
	row := v.Rows[0]
	return row.Nonce == k.h.latest.Nonce && row.Held && row.Expires.After(v.Now)
}

func (m mutation) onRestart(s *server) {
	// A primary that comes back may have been restarted while the other one served.
	if s.started = s.w.now; m == floorAtStart && s.older {
		s.started -= s.w.duration(0, 30*time.Second)
	}
	if m != sameServer {
		s.mem.Restart(fmt.Sprint("server ", s.incarnation))
	}
}

// onAcquired changes what a process begins with.
func (m mutation) onAcquired(p *process) {
	k := p.keeper
	switch m {
	case ignoreHigh:
		k.h.spans[0].lo = min(k.h.spans[0].lo, p.w.tickAt(p.w.server.now()))
	case forgetPast:
		k.c.wentBack = new(sync.Map)
	case oneNonce:
		p.only = p.claim.nonce()
	}
}

// onCreated changes what the store made of it.
func (m mutation) onCreated(s *server, p *process, c creation) {
	if m != openedAtOnce || p.kept.IsZero() {
		return
	}
	opened := store.Row{Nonce: c.nonce, Open: true,
		High: grants.Opening(c.Pool, p.kept, time.Duration(s.w.slack)*s.w.unit)}
	opened.Nonce[0]++
	s.mem.Open(background, c.Pool, c.workers, c.nonce, opened)
}

// onOpen is an opening, as the store is given it.
func (m mutation) onOpen(s *server, before store.View, o opening) opening {
	switch m {
	case noWindow:
		o.opened.High -= before.Window()
	case noSlack:
		o.opened.High -= s.w.slack
	case openAny:
		for _, r := range before.Rows {
			if slices.Contains(o.workers, r.Worker) {
				o.created = r.Nonce
			}
		}
	}
	return o
}

// onStoreTime is what a process takes for the time of a store whose writes have no
// clock.
func (m mutation) onStoreTime(p *process, now time.Time) time.Time {
	if m == ownClock {
		return p.wall()
	}
	return now
}
