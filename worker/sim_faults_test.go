package worker

import (
	"maps"
	"reflect"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// tell tells a copy that it is one: by AfterRestore, or by its clocks, when the keeper
// looks at them.
func (p *process) tell() {
	switch {
	case p.keeper == nil:
		p.untold = false
	case p.leaving || p.next.over || p.w.IntN(2) == 0:
		p.once(func(q *process) action {
			q.w.off.restore(q)
			return action{}
		})
		p.woken, p.warned = true, true
		p.gaveUp()
		if p.w.IntN(2) == 0 && !p.leaving && p.keeper.h.lost != nil {
			p.lose() // the generator does not wait for the keeper
		}
	default:
		slept := clockGap + p.w.duration(1, 3*time.Second)
		p.paused, p.asleep, p.sleeping = p.w.now+slept, p.asleep+slept, true
		p.woken = true
		p.w.off.slept(p, slept)
	}
}

// gaveUp: it knows that it may be a copy, and that what it has sent another may have
// sent.
func (p *process) gaveUp() {
	p.untold = false
	p.latest, p.shared = store.Nonce{}, maps.Clone(p.sent)
	p.w.say("%v gives up the rest of its grant", p)
}

// suffer lets a process have a fault, or none.
func (p *process) suffer() {
	w, o := p.w, p.w.odds
	if w.chance(o.jump) || w.chance(o.decade) {
		p.off = w.jump(w.chance(o.decade))
		if w.IntN(2) == 0 {
			p.off = w.server.off // somebody sets it right
		}
		w.say("%v's clock jumps to %v", p, w.short(w.tickAt(p.wall())))
	}
	if p.paused <= w.now && w.chance(o.pause) {
		p.paused = w.now + w.duration(0, 3*w.ttl/(w.unit/time.Second)+20*time.Second)
		if p.sleeping = w.IntN(2) == 0; p.sleeping {
			p.asleep += p.paused - w.now
		}
		w.say("%v is paused for %v", p, p.paused-w.now)
	}
	if p.keeper != nil && w.chance(o.clone) && w.generators() < w.most+2 {
		p.copy()
	}
	awake := p.paused <= w.now && !p.untold
	if p.keeper != nil && awake && !p.leaving && !p.next.over && w.chance(o.leave) {
		p.leave()
	}
	if !p.ended && w.chance(o.crash) {
		p.gone("it crashes")
	}
}

// copy clones the process as a snapshot of its machine does, the call that is
// under way included: both may get the answer. One of them is told.
func (p *process) copy() {
	w := p.w
	w.born++
	c := *p
	c.id = w.born
	c.sent, c.known = maps.Clone(p.sent), maps.Clone(p.known)
	c.inbox = append([]message(nil), p.inbox...)
	c.claim = c.newClaim()
	c.claim.Owner = p.claim.Owner
	c.recall(p)
	w.processes = append(w.processes, &c)
	w.say("%v is cloned: %v", p, &c)
	for _, m := range w.network {
		if m.peer == p && m.call == p.call && w.IntN(2) == 0 {
			m.peer = &c // it sends what was not yet sent, or hears what was not yet heard
			w.network = append(w.network, m)
		}
	}
	if w.IntN(2) == 0 {
		c.untold = true
	} else {
		p.untold = true
	}
}

// recall brings the keeper of a copy to where its original is.
func (p *process) recall(of *process) {
	from, since := of.before, of.since
	if of.routine.ended {
		from, since = of.keeper, nil
	}
	ended := &coroutine{done: func() {}, ended: true}
	k := from.clone(from.c.copied())
	p.keeper, p.routine, p.since = &k, ended, nil
	p.claim.wentBack = k.c.wentBack
	var call any
	for _, do := range since {
		if next := p.once(do); next.call != nil {
			call = next.call
		}
	}
	if since != nil && !reflect.DeepEqual(call, of.next.call) {
		p.w.fail("%v calls %+v, and its copy %+v", of, of.next.call, call)
	}
}
