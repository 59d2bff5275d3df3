package worker_test

import (
	"maps"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func (p *process) lookAtClocks() {
	gap := p.wall().Sub(simStart) - p.mono()
	jumped := gap - p.gap
	p.gap = gap
	if p.held && jumped.Abs() > 2*time.Second {
		p.restored()
	}
}

// restored is AfterRestore.
func (p *process) restored() {
	told := p.twin
	p.twin = false
	p.latest, p.shared = store.Nonce{}, maps.Clone(p.sent)
	p.w.off.onRestore(p)
	p.w.say("%v gives up the rest of its grant", p)
	if told && p.w.IntN(4) == 0 {
		p.leave() // somebody finds one process too many
	}
}

// leave ends a process in good order.
func (p *process) leave() {
	p.leaving = true
	p.w.say("%v stops minting at %v", p, short(p.minted))
}

// suffer lets a process have a fault, or none.
func (p *process) suffer() {
	w, o := p.w, p.w.odds
	if w.chance(o.jump) || w.chance(o.decade) {
		p.off = w.jump(w.chance(o.decade))
		if w.IntN(2) == 0 {
			p.off = w.server.off // somebody sets it right
		}
		w.say("%v's clock jumps to %v", p, short(worker.Tick(p.wall(), simUnit)))
	}
	if p.paused <= w.now && w.chance(o.pause) {
		p.paused = w.now + w.duration(0, 3*w.ttl+20*time.Second)
		if w.IntN(2) == 0 {
			p.asleep += p.paused - w.now // a machine that slept
		}
		w.say("%v is paused for %v", p, p.paused-w.now)
	}
	if p.held && w.chance(o.clone) && len(w.processes) < w.most+2 {
		p.copy()
	}
	if p.held && !p.twin && !p.leaving && w.chance(o.leave) {
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
	c.holder, c.sent, c.known = p.holder.Clone(), maps.Clone(p.sent), maps.Clone(p.known)
	c.inbox = append([]message(nil), p.inbox...)
	c.claim = c.newClaim()
	c.store.Clock = c.newStoreClock().Clock
	c.claim.Owner = p.claim.Owner
	c.claim.Remember(p.claim)
	w.processes = append(w.processes, &c)
	w.say("%v is cloned: %v", p, &c)
	for _, m := range w.network {
		if m.peer == p && m.call == p.call && w.IntN(2) == 0 {
			m.peer = &c // it sends what was not yet sent, or hears what was not yet heard
			w.network = append(w.network, m)
		}
	}
	if w.IntN(2) == 0 {
		c.twin = true
	} else {
		p.twin = true
	}
}
