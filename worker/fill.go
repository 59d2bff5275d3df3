package worker

import (
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
)

// filler creates the rows that a claim's pool still lacks, beside the work of the process
// that has its worker id: the step function for a store that creates rows one by one.
//
//	idle ──▶ reading ──▶ growing ──▶ idle, until all rows are there and open
type filler struct {
	c      Claim
	pool   Pool
	pace   int // of all processes together
	phase  phase
	live   int // processes that have a worker id, when it read the rows last
	growth growth

	failure asynclog.Failure
	err     error // of the last round
}

// filler returns the filler for the pool of which it took a row.
func (a *acquirer) filler() filler {
	f := filler{c: a.c, pool: a.need.pool(), pace: a.pace, growth: a.growth,
		failure: asynclog.Failure{Patience: a.c.TTL / 6}}
	if a.complete || a.c.ExistingOnly {
		f.pace = 0
	}
	return f
}

// due reports whether there may be rows to create.
func (f *filler) due() bool { return f.pace > 0 && f.growth.last > f.growth.first }

func (f *filler) step(at moment, a answer) action {
	switch f.phase {
	case reading:
		return f.read(at, a)
	case growing:
		next, err := f.growth.next(a)
		if next != nil {
			return action{call: next}
		}
		return f.rest(at, err)
	}
	f.phase = reading
	return action{call: lookup{f.pool, f.growth.first, f.growth.last}}
}

// every is how many seconds lie between two rounds: more, the more processes there are, since
// a round reads all rows. All processes together begin some eight rounds a second.
func (f *filler) every() int { return 1 + f.live/8 }

// read begins a round. Rows that are created a second, by all processes together, are as
// many as the store's pace: each process creates its share.
func (f *filler) read(at moment, a answer) action {
	if a.err != nil {
		return f.rest(at, a.err)
	}
	if len(a.view.Others) > 0 && !f.c.AllowOtherLayouts {
		// An acquirer of this layout decides whose place it is. Rows that are opened now could
		// begin below what the other layout's holders are granted later.
		return f.rest(at, nil)
	}
	f.live = 0
	for _, r := range a.view.Rows {
		if a.view.Live(r) {
			f.live++
		}
	}
	f.growth.most = max(1, f.pace*f.every()/max(1, f.live))
	next := f.growth.begin(&f.c, at, a.view)
	if next == nil {
		return over
	}
	f.phase = growing
	return action{call: next}
}

// rest waits until the next round.
func (f *filler) rest(at moment, err error) action {
	f.phase = idle
	if f.err = err; err != nil && f.failure.Meet(at.mono, err) {
		f.c.Logger.Warn("cannot create rows for more worker ids; retrying", "reason", err)
	} else if err == nil {
		f.failure.End()
	}
	wait := time.Duration(f.every()) * time.Second
	return action{wait: wait/2 + wait*time.Duration(at.nonce[0])/256, backoff: true}
}

// fill drives a filler until the rows are there, or the lease is released.
func (l *held) fill(f filler) {
	defer close(l.filled)
	at := l.c.moment(noTick)
	for next := f.step(at, answer{}); !next.over; {
		var a answer
		if next.call != nil {
			a = l.c.do(l.ctx, l.store, next.call)
		} else if pause(l.ctx, next.wait) != nil {
			return
		}
		at = l.c.moment(noTick)
		next = f.step(at, a)
	}
}
