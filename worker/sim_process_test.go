package worker_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

const noTick = math.MinInt64

var errTimeout = errors.New("timeout")

// process is a generator that mints, and its keeper that calls the store: what
// Assign, keeper and padder do with goroutines, one small step at a time. One call
// is under way at most, as theirs.
type process struct {
	w      *world
	id     int
	space  string
	claim  worker.Claim
	store  storeClock
	holder *worker.Holder
	held   bool // a worker id; else it is acquiring one

	last   int64 // the highest tick that it minted in all its life (I11)
	minted int64 // the same, of the present lease
	cursor int64 // the highest tick that it wanted

	off, asleep time.Duration // wall minus true time; what the monotonic clock missed
	gap         time.Duration // wall minus monotonic clock when last looked
	beat        time.Duration // monotonic time of the last write that was acknowledged
	paused      time.Duration // until then
	twin        bool          // a copy that has not been told yet: it mints nothing
	ended       bool
	leaving     bool // it has stopped minting and gives its row back

	call     int // under way; 0: none
	deadline time.Duration
	asked    time.Duration // monotonic time when it began
	ask      any
	settling bool // acquiring, and the last write was not acknowledged
	rewinds  int  // of the store, when it was seen last
	inbox    []message

	sent, known map[store.Nonce]bool // its writes, and those that it knows to be applied
	shared      map[store.Nonce]bool // those that a twin knows, too
	latest      store.Nonce          // the last of its own, of the present lease
}

func (p *process) String() string { return fmt.Sprintf("P%d", p.id) }

func (p *process) wall() time.Time     { return simStart.Add(p.w.now + p.off) }
func (p *process) mono() time.Duration { return p.w.now - p.asleep }

func (p *process) newClaim() worker.Claim {
	c := worker.Claim{
		Namespace: p.space,
		Owner:     fmt.Sprint("owner ", p.id%2), // two processes with one owner are two holders
		TTL:       p.w.ttl,
		Slack:     time.Duration(p.w.slack) * simUnit,
	}
	return c.Rigged(p.wall, p.mono, nonces{p})
}

// nonces are random, and no two processes share a generator.
type nonces struct{ p *process }

func (n nonces) Read(b []byte) (int, error) {
	if n.p.w.off == sameNonce {
		clear(b)
		return len(b), nil
	}
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], n.p.w.Uint64())
	}
	return len(b), nil
}

func (p *process) nonce() store.Nonce {
	n := p.claim.NewNonce()
	p.sent[n] = true
	return n
}

// act mints, or does one step of the keeper.
func (p *process) act() {
	switch {
	case p.paused > p.w.now || p.ended:
	case p.twin && p.w.IntN(3) == 0:
		p.restored()
	case p.w.IntN(2) == 0 || !p.keep():
		p.mint()
	}
}

// mint mints a few ticks as a padder does: the next one is now's, or the first
// that is granted, or the one after the last, whichever is the latest.
func (p *process) mint() {
	if p.twin || !p.held || p.leaving && p.w.off != mintWhileLeaving {
		return
	}
	for range 1 + p.w.IntN(4) {
		lo, hi := p.holder.Grant()
		tick := max(worker.Tick(p.wall(), simUnit), lo)
		if p.last != noTick {
			tick = max(tick, p.last+1)
		}
		p.cursor = max(p.cursor, min(tick, hi+1)) // as keeper.Want
		p.holder.Want(p.cursor)
		if lo, hi = p.holder.Grant(); tick < lo || tick > hi {
			return
		}
		p.last = tick
		p.minted = max(p.minted, tick)
		p.w.oracle.minted(p, tick)
	}
}

// keep digests an answer, gives a call up, or begins one that is due; false when
// there is nothing to do.
func (p *process) keep() bool {
	late := p.call != 0 && p.w.now >= p.deadline
	switch {
	case len(p.inbox) > 0 && (!late || p.w.IntN(2) == 0):
		m := p.inbox[0]
		p.inbox = p.inbox[1:]
		p.digest(m.answer)
	case late:
		p.digest(answer{err: errTimeout})
	case p.call != 0: // it waits
		return false
	case !p.held || p.leaving || p.isDue():
		p.lookAtClocks()
		p.look()
	default:
		return false
	}
	return true
}

func (p *process) isDue() bool {
	return p.mono()-p.beat >= p.w.ttl/3 || p.holder.Hungry(p.cursor) || p.w.IntN(10) == 0
}

// begin starts a call.
func (p *process) begin(ask any) {
	p.w.calls++
	p.asked = p.mono()
	p.call, p.ask, p.deadline, p.inbox = p.w.calls, ask, p.w.now+p.w.timeout, nil
	p.w.send(message{call: p.call, peer: p, ask: ask})
}

// receive takes a reply in, unless it comes too late or for the second time.
func (p *process) receive(m message) {
	if m.call == p.call && len(p.inbox) == 0 {
		p.inbox = append(p.inbox, m)
	}
}

// look reads the own row, or all rows.
func (p *process) look() {
	if p.held || p.settling {
		p.begin(lookup{p.space, p.holder.Worker(), p.holder.Worker()})
	} else {
		p.begin(lookup{p.space, 0, math.MaxInt64})
	}
}

// digest takes the answer of the call that is under way.
func (p *process) digest(a answer) {
	ask := p.ask
	p.call, p.ask, p.inbox = 0, nil, nil
	switch ask := ask.(type) {
	case store.Raise, lift:
		p.look()
	case store.Write:
		p.wrote(ask, a)
	case lookup:
		if a.err == nil {
			p.rewinds = a.rewinds
			p.viewed(a.view, a.stale)
		} else if errors.Is(a.err, worker.ErrNoNamespace) && (p.leaving || !p.held && p.w.odds.found > 0) {
			p.gone("its namespace is gone")
		}
	}
}

// viewed digests a view as a keeper does: what it shows of the own row first, then
// what it calls for, and then it is built on.
func (p *process) viewed(raw store.View, stale bool) {
	raw.Now = p.storeTime(raw.Now)
	v := p.w.off.onView(p, raw)
	if p.held && raw.Server == raw.Epoch {
		p.see(v)
		if p.holder.Lost() != nil {
			if !stale {
				p.w.oracle.fenced(p, raw)
			}
			p.lose()
		}
	}
	switch {
	case p.ended, p.mend(raw):
	case p.settling:
		p.see(v)
		p.settle()
	case !p.held:
		p.choose(v)
	case p.leaving:
		p.begin(p.w.off.onRelease(p, v))
	default:
		beat := p.mono()-p.beat >= p.w.ttl/3
		if w, due := p.holder.Due(v, p.cursor, beat, p.nonce()); due {
			p.begin(w)
		}
	}
}

func (p *process) see(v store.View) {
	p.w.off.see(p, v)
	if len(v.Rows) == 1 && p.holder.Lost() == nil {
		p.learn(v.Rows[0].Nonce)
	}
}

// mend lifts the floor, or begins an epoch, if a view calls for it.
func (p *process) mend(v store.View) bool {
	if floor, due := p.w.off.behind(p, v); due {
		p.begin(lift{p.space, floor, p.rewinds})
		return true
	}
	r, due := p.w.off.raise(p, v)
	if due {
		p.begin(r)
	}
	return due
}

// choose takes a row over, now and then a live one by force (I10).
func (p *process) choose(v store.View) {
	if p.refused(v) {
		return
	}
	steal := p.w.chance(p.w.odds.steal)
	if steal {
		for i := range v.Rows {
			v.Rows[i].Held = false
		}
	}
	w, err := p.holder.Choose(p.claim, v)
	if err != nil {
		return
	}
	p.sent[w.Nonce] = true
	p.w.oracle.takes(p, w)
	p.w.oracle.trusts(p)
	w.Acquire = !steal
	p.begin(w)
}

func (p *process) wrote(w store.Write, a answer) {
	p.holder.Wrote(w, a.applied || p.w.off == timeoutGrants && a.err != nil, a.err)
	if a.applied {
		p.learn(w.Nonce)
		p.beat = p.mono()
	}
	switch {
	case p.leaving && a.applied:
		p.gone("it released its worker id")
	case p.held || p.leaving:
	case !a.applied && p.w.off != timeoutGrants:
		p.settling = true
	default:
		p.settle()
	}
}

// settle makes an acquired row one's own, or forgets it.
func (p *process) settle() {
	p.settling = false
	if p.held = p.holder.Granted(); !p.held {
		return
	}
	p.w.off.onAcquired(p)
	p.minted, p.cursor = noTick, noTick
	p.beat, p.gap = p.mono(), p.wall().Sub(simStart)-p.mono()
	lo, hi := p.holder.Grant()
	p.w.say("%v holds worker id %v, granted %v to %v", p, p.holder.Worker(), short(lo), short(hi))
}

// lose drops a lease that somebody else has; a new one goes on behind it.
func (p *process) lose() {
	p.w.say("%v: %v", p, p.holder.Lost())
	p.w.off.onLost(p)
	if p.leaving {
		p.gone("it has lost its worker id")
		return
	}
	if p.w.off == keepFenced && p.holder.Granted() {
		return
	}
	p.held, p.latest = false, store.Nonce{}
	p.holder = worker.NewHolder(p.claim)
	if p.w.off == forgetOrder {
		p.last = noTick
	}
}

func (p *process) gone(why string) {
	p.ended = true
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
