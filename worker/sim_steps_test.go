package worker

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// action is what to do next: make a call, and then the next step with its answer; or wait,
// and then make the next step; or stop.
type action struct {
	call    any           // a store.Write or another call of a store; nil: none
	wait    time.Duration // when there is no call
	backoff bool          // wait all of it, even if the generator wants more
	over    bool
}

// coroutine goes step by step through code that makes one call after another.
type coroutine struct {
	next  func() (action, bool)
	done  func()
	at    moment
	ans   answer
	last  action // what is next when the code has run
	ended bool   // it has, or makes no more calls
}

func newCoroutine(p *caller, run func() action) *coroutine {
	c := &coroutine{}
	c.next, c.done = iter.Pull(func(yield func(action) bool) {
		do := func(next action) answer {
			if c.ended {
				return answer{err: context.Canceled}
			}
			c.ended = !yield(next)
			return c.ans
		}
		p.at, p.ctx = c.at, background
		p.store = through(func(_ context.Context, call any) answer { return do(action{call: call}) })
		p.sleep = func(d time.Duration, _ <-chan struct{}) error {
			return do(action{wait: d, backoff: true}).err
		}
		p.act = func(call func()) moment {
			call()
			return c.at
		}
		c.last = run()
		c.ended = true
	})
	return c
}

// step is told the answer to the last call, and returns what is next.
func (c *coroutine) step(at moment, a answer) action {
	c.at, c.ans = at, a
	if next, more := c.next(); more {
		return next
	}
	return c.last
}

// end lets the call that is under way be the last one.
func (c *coroutine) end(at moment, a answer) {
	c.at, c.ans = at, a
	c.done()
	c.ended = true
}

func (c *coroutine) stop() { c.end(c.at, answer{err: context.Canceled}) }

var errTimeout = errors.New("timeout")

// work makes the step that is due: with an answer, with none when a call took too
// long, or because time has passed; false when there is none.
func (p *process) work() bool {
	late := p.call != 0 && p.w.now >= p.deadline
	switch {
	case len(p.inbox) > 0 && p.client != nil && p.client.busy && !late:
		r := p.inbox[0].reply
		p.inbox = nil
		p.client.resume(r)
	case len(p.inbox) > 0 && (p.client == nil || !p.client.busy) && (!late || p.w.IntN(2) == 0):
		p.step(p.inbox[0].reply)
	case late:
		p.step(reply{answer: answer{err: errTimeout}})
	case p.call != 0:
		return false
	case p.next.over: // the lease is lost, and what it granted may be used up
		if p.keeper.h.lost == nil || p.w.IntN(8) > 0 {
			return false
		}
		p.lose()
	case p.mono() >= p.due || !p.next.backoff && (p.woken || p.w.IntN(10) == 0):
		p.step(reply{})
	default:
		return false
	}
	return true
}

// step tells the code that runs what came of its call, and does what it says.
func (p *process) step(r reply) {
	asked, a := p.hear(r)
	at := p.moment(a)
	p.woken = false
	if p.filler != nil {
		next := p.routine.step(at, a)
		next.wait *= p.w.unit / time.Second * time.Duration(1+p.w.IntN(10)) // or it soon is done
		p.do(next)
		return
	}
	if p.acquirer != nil {
		next := p.routine.step(at, a)
		p.learns(asked, r, p.settles)
		p.do(next)
		return
	}
	k := p.keeper
	lost, restores := k.h.lost != nil, k.h.restores
	next := p.once(func(q *process) action { return q.w.off.step(q, at, a) })
	p.learns(asked, r, k.h.lost == nil && r.view.Server == r.view.Epoch)
	if k.h.restores > restores {
		p.gaveUp()
	}
	if k.h.lost != nil && !lost && !p.leaving {
		p.w.say("%v: %v", p, k.h.lost)
		p.w.oracle.lost(p)
		if _, viewed := asked.(lookup); viewed && !r.stale && r.view.Server == r.view.Epoch {
			p.w.oracle.fenced(p, r.view)
		}
		if errors.Is(k.h.lost, ErrRolledBack) && (p.w.off == forgetPast || p.w.IntN(2) == 0) {
			p.lose() // the generator does not wait until the keeper has deleted the rows
			return
		}
	}
	p.show()
	p.do(next)
	if k.h.restores > restores && p.keeper == k && !p.leaving && !p.next.over && p.w.IntN(2) == 0 {
		p.leave() // somebody finds one process too many
	}
}

// once does something with the keeper. A copy of the process, made while the keeper is in a
// call, comes to the same place by doing it again.
func (p *process) once(do func(q *process) action) action {
	if p.routine.ended {
		k := p.keeper.clone(p.claim.copied())
		p.before, p.since = &k, nil
	}
	cursor := p.cursor
	now := func(q *process) action {
		q.keeper.cursor = cursor
		return do(q)
	}
	p.since = append(p.since, now)
	return now(p)
}

// keep continues after a call of the keeper, or begins a renewal.
func (p *process) keep(at moment, a answer) action {
	if p.routine.ended {
		k := p.keeper
		p.routine = newCoroutine(&k.caller, func() action {
			wait, over := k.renew()
			return action{wait: wait, backoff: k.failure.Met > 0, over: over}
		})
	}
	return p.routine.step(at, a)
}

// release ends the renewal that is under way, with this answer, and gives the row back.
func (p *process) release(last int64, at moment, a answer) action {
	k := p.keeper
	p.routine.end(at, a)
	p.routine = newCoroutine(&k.caller, func() action {
		p.failed = k.release(last)
		return action{over: true}
	})
	return p.routine.step(at, a)
}

// hear ends the call that is under way: what was asked, and what is taken for the
// answer.
func (p *process) hear(r reply) (asked any, a answer) {
	asked, a = p.next.call, r.answer
	p.client.end()
	p.call, p.inbox = 0, nil
	if _, told := asked.(askTime); told && r.err == nil {
		a.now = p.storeUpper(r.now)
	}
	if q, purges := asked.(purge); purges && r.err == nil {
		p.w.oracle.settled(p, q, r.kept)
	}
	if _, viewed := asked.(lookup); viewed && r.err == nil {
		p.view = r.view
		a.view.Now = p.storeTime(a.view.Now)
		if p.force = p.acquirer != nil && !p.settles && p.w.chance(p.w.odds.steal); p.force {
			for i := range a.view.Rows {
				a.view.Rows[i].Held = false
			}
		}
	}
	a = p.w.off.hear(p, asked, a)
	if _, viewed := asked.(lookup); viewed && r.err == nil {
		p.shown = a.view.Now
	}
	if _, writes := asked.(store.Write); writes {
		p.settles = !a.applied
	}
	return asked, a
}

// moment is what a step is made at. Where the store's clock decides, a process may take
// a row whose own is wrong, which is harder.
func (p *process) moment(a answer) moment {
	at := moment{wall: p.wall(), mono: p.mono(), nonce: p.claim.nonce()}
	if p.acquirer != nil && (!p.w.clockless || p.w.off == anyClock) {
		at.wall = a.view.Now
	}
	return at
}

// learns: the process knows of a write of its own when it was acknowledged, or when a
// view shows it that is believed.
func (p *process) learns(asked any, r reply, believed bool) {
	switch asked := asked.(type) {
	case store.Write:
		if r.applied {
			p.learn(asked.Nonce)
		}
	case lookup:
		if believed && r.err == nil && len(r.view.Rows) == 1 {
			p.learn(r.view.Rows[0].Nonce)
		}
	}
}

// do does what a step says.
func (p *process) do(next action) {
	p.next = next
	switch {
	case next.call != nil:
		p.begin(next.call)
	case !next.over:
		p.due = p.mono() + next.wait
		p.settles = false
	case p.filler != nil:
		p.gone("all rows are there")
	case p.acquirer != nil:
		p.acquired(p.failed)
	case p.leaving && p.failed != nil:
		p.gone(p.failed.Error())
	case p.leaving:
		p.gone("it has released its worker id, or lost it")
	case p.keeper.h.lost != nil && len(p.keeper.h.spans) == 0:
		p.lose()
	}
}

// begin starts a call.
func (p *process) begin(q any) {
	q = p.w.off.slackOf(p, p.w.off.say(p, q))
	if w, writes := q.(store.Write); writes {
		p.w.oracle.renews(p, w)
		p.sent[w.Nonce] = true
		if w.Acquire {
			p.w.oracle.takes(p, w)
			p.w.oracle.trusts(p)
			w.Acquire = !p.force
			q = w
		}
	}
	p.asked, p.deadline = p.mono(), p.w.now+p.w.timeout
	if p.client != nil {
		p.client.begin(q)
		return
	}
	p.w.calls++
	p.call = p.w.calls
	p.w.send(message{call: p.call, peer: p, shown: p.shown, ask: q})
}

// receive takes a reply in, unless it comes too late or for the second time.
func (p *process) receive(m message) {
	switch {
	case m.call != p.call || len(p.inbox) > 0 || p.ended:
	case p.client != nil && p.client.busy && p.paused <= p.w.now:
		p.client.resume(m.reply)
	default:
		p.inbox = append(p.inbox, m)
	}
}

// acquired: it has a worker id, or none for now.
func (p *process) acquired(err error) {
	if err != nil {
		switch {
		case errors.Is(err, ErrOtherLayout):
			p.gone("its layout is not the place's")
		case errors.Is(err, ErrClock) && p.w.IntN(4) == 0:
			p.gone("its clock is wrong")
		default:
			p.w.say("%v: %v", p, err)
			p.acquire()
		}
		return
	}
	a := p.acquirer
	a.at = moment{wall: p.wall(), mono: p.mono()}
	k := newKeeper(a.caller, a.h)
	p.fill(*a)
	p.acquirer, p.keeper = nil, &k
	p.w.off.onAcquired(p)
	p.minted, p.cursor = noTick, noTick
	p.next, p.due = action{}, p.mono()
	p.show()
	p.w.say("%v holds worker id %v, granted %v to %v", p, k.h.worker, p.w.short(p.state.lo),
		p.w.short(p.state.hi))
}

// show is what the lease does after each step.
func (p *process) show() {
	p.keeper.cursor = p.cursor
	p.state = p.keeper.state()
}

// lose drops a lease; a new one goes on above it.
func (p *process) lose() {
	p.w.say("%v asks for another worker id", p)
	p.routine.stop()
	if p.w.off == forgetOrder {
		p.last = noTick
	}
	p.acquire()
}

// leave ends a process in good order: it stops minting and gives its row back. It does
// not wait for the call that is under way, or the answer has just come.
func (p *process) leave() {
	p.leaving = true
	p.w.say("%v stops minting at %v", p, p.w.short(p.minted))
	r := reply{answer: answer{err: errTimeout}}
	if len(p.inbox) > 0 && (p.client == nil || !p.client.busy) && p.w.IntN(2) == 0 {
		r = p.inbox[0].reply
	}
	asked, a := p.hear(r)
	if _, writes := asked.(store.Write); writes {
		p.learns(asked, r, false)
	}
	at := p.moment(a)
	p.do(p.once(func(q *process) action { return q.w.off.release(q, at, a) }))
}
