package worker

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// process is a generator that mints, and what it runs: an acquirer until it has a worker id,
// and then a keeper. One call is under way at most.
type process struct {
	w      *world
	id     int
	layout string
	claim  Claim

	filler   *acquirer               // of another process's pool; then it does nothing else
	beside   *process                // that process
	acquirer *acquirer               // nil: it has a worker id
	routine  *coroutine              // of the one of these that there is
	failed   error                   // of the acquirer
	settles  bool                    // it looks what became of the write that takes a row
	keeper   *keeper                 // nil: it has none
	before   *keeper                 // as it was when it was in no call
	since    []func(*process) action // what it did since then
	kept     time.Time               // the store's time, as it was told before it created a row
	keptAt   time.Duration           // at this moment of the monotonic clock
	state    state                   // of the lease
	next     action                  // what the last step said
	due      time.Duration           // by the monotonic clock, when it waits
	woken    bool                    // by the generator, which wants more

	last   int64 // the highest tick that it minted in all its life (I11)
	minted int64 // the same, of the present lease
	cursor int64 // the highest tick that it wanted

	off, asleep time.Duration // wall minus true time; what the monotonic clock missed
	paused      time.Duration // until then
	sleeping    bool          // with its machine, then; asleep counts all of it
	untold      bool          // a copy that has not been told yet: it mints nothing
	warned      bool          // that it is one, by AfterRestore: the row is left to others
	ended       bool
	leaving     bool // it has stopped minting and gives its row back

	call     int // under way; 0: none
	deadline time.Duration
	asked    time.Duration // monotonic time when it began
	blur     time.Duration // how exactly it knows the store's clock, if writes have none
	read     textstore.Reading
	inbox    []message
	client   *client    // nil: a call is one message
	view     store.View // the last, as the store showed it
	shown    time.Time  // the store's time, as the last view told it
	force    bool       // the row is taken whoever holds it

	sent, known map[store.Nonce]bool // its writes, and those that it knows to be applied
	shared      map[store.Nonce]bool // those that a copy knows, too
	latest      store.Nonce          // the last of its own, of the present lease
	only        store.Nonce          // for oneNonce
	purged      bool                 // its last call deleted rows, for believeGone
}

func (p *process) String() string { return fmt.Sprintf("P%d", p.id) }

func (p *process) wall() time.Time     { return simStart.Add(p.w.now + p.off) }
func (p *process) mono() time.Duration { return p.w.now - p.asleep }

func (p *process) newClaim() Claim {
	c := Claim{
		Count:             int64(p.w.rows),
		Owner:             fmt.Sprint("owner ", p.id%2), // two processes with one owner are two holders
		TTL:               p.w.ttl,
		Slack:             p.w.ownSlack(),
		AllowOtherLayouts: p.w.off == anyLayout,
		Logger:            discard,
	}
	return c.rigged(p.wall, p.mono, nonces{p})
}

// ownSlack is what one process takes for the slack.
func (w *world) ownSlack() time.Duration {
	slack := w.slack
	if w.disagree {
		slack = 1 + w.Int64N(slack)
	}
	return time.Duration(slack) * w.unit
}

// timeless is the claim for the protocol's code, which has no clock, no randomness, and here
// nobody to tell.
func (c Claim) timeless() Claim {
	c.clock, c.random, c.Logger = clock.Clock{}, nil, discard
	return c
}

// copied is the timeless claim of a copy of the process, with wentBack of its own.
func (c Claim) copied() Claim {
	wentBack := new(sync.Map)
	c.wentBack.Range(func(layout, proof any) bool {
		wentBack.Store(layout, proof)
		return true
	})
	c.wentBack = wentBack
	return c.timeless()
}

// nonces are random, and no two processes share a generator.
type nonces struct{ p *process }

func (n nonces) Read(b []byte) (int, error) {
	if n.p.w.off == sameNonce {
		clear(b)
		if times := n.p.claim.times; times != nil {
			times.Store(0)
		}
		return len(b), nil
	}
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], n.p.w.Uint64())
	}
	return len(b), nil
}

// acquire begins to ask for a worker id.
func (p *process) acquire() {
	p.keeper, p.latest, p.state, p.warned = nil, store.Nonce{}, state{hi: -1}, false
	a := &acquirer{growth: growth{caller: caller{c: p.claim.timeless(), need: p.need()}}}
	p.acquirer, p.settles = a, false
	p.routine = newCoroutine(&a.caller, func() action {
		p.failed = a.acquire()
		for p.failed != nil && !p.routine.ended && p.w.IntN(2) == 0 { // a start tries again
			p.failed = a.acquire()
		}
		return action{over: true}
	})
	p.due, p.next = p.mono()+p.w.duration(0, 200*time.Millisecond), action{backoff: true}
}

func (p *process) need() Need {
	return Need{Unit: p.w.unit, Fingerprint: p.layout, MaxID: int64(p.w.rows)}
}

// fill begins to create the rows that are missing, beside the work. It is a process of its
// own here, which may be paused when the other is not.
func (p *process) fill(a acquirer) {
	w := p.w
	has := slices.ContainsFunc(w.processes, func(q *process) bool { return q.beside == p })
	if !w.fills || !a.fills() || has {
		return
	}
	w.born++
	q := &process{w: w, id: w.born, layout: p.layout, off: p.off, last: noTick, cursor: noTick,
		filler: &a, beside: p, sent: map[store.Nonce]bool{}, known: map[store.Nonce]bool{}}
	q.claim = q.newClaim()
	q.routine = newCoroutine(&a.caller, func() action {
		a.fill()
		return action{over: true}
	})
	w.processes = append(w.processes, q)
	w.say("%v creates rows beside %v", q, p)
}

// act mints, or makes a step.
func (p *process) act() {
	switch {
	case p.paused > p.w.now || p.ended:
	case p.beside != nil && p.beside.ended:
		p.gone("its process has ended")
	case p.untold && p.w.IntN(3) == 0:
		p.tell()
	case p.w.IntN(2) == 0 || !p.work():
		p.mint()
	}
}

// mint mints a few ticks as a padder does: the next one is now's, or the first
// that is granted, or the one after the last, whichever is the latest.
func (p *process) mint() {
	if p.untold || p.keeper == nil || p.leaving && p.w.off != mintWhileLeaving {
		return
	}
	for range 1 + p.w.IntN(4) {
		s := p.state
		tick := max(p.w.tickAt(p.wall()), s.lo)
		if p.last != noTick {
			tick = max(tick, p.last+1)
		}
		if wanted := min(tick, s.hi+1); wanted > p.cursor {
			p.cursor = wanted
			p.woken = p.woken || wanted >= p.keeper.h.low()
			if wanted > s.hi {
				p.show()
				s = p.state
			}
		}
		if tick < s.lo || tick > s.hi {
			return
		}
		p.last = tick
		p.minted = max(p.minted, tick)
		p.w.oracle.minted(p, tick)
	}
}

func (p *process) gone(why string) {
	p.ended = true
	p.client.end()
	p.w.say("%v ends: %s", p, why)
	p.w.end(p)
}

// learn notes that a write of its own was applied, and those it was built on.
func (p *process) learn(n store.Nonce) {
	if p.sent[n] && !p.shared[n] {
		p.latest = n
	}
	for p.sent[n] && !p.known[n] {
		p.known[n] = true
		n = p.w.oracle.grants[n].before
	}
}
