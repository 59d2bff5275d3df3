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
	growth growth

	failure asynclog.Failure
	err     error // of the last round
}

// filler returns the filler for the pool of which it took a row.
func (a *acquirer) filler() filler {
	f := filler{c: a.c, pool: a.need.pool(), pace: a.pace, growth: a.growth,
		failure: asynclog.Failure{Patience: a.c.TTL / 6}}
	if v := a.survey.view; a.pace > 0 && !a.c.ExistingOnly {
		f.growth.first, f.growth.last = a.c.span(v, a.need)
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
		return f.rest(at, 1, err)
	}
	f.phase = reading
	return action{call: lookup{f.pool, f.growth.first, f.growth.last}}
}

// read begins a round. Rows that are created a second, by all processes together, are as
// many as the store's pace: each process creates its share in a while that it draws by lot.
func (f *filler) read(at moment, a answer) action {
	if a.err != nil {
		return f.rest(at, 1, a.err)
	}
	if len(a.view.Others) > 0 && !f.c.AllowOtherLayouts {
		// An acquirer of this layout decides whose place it is. Rows that are opened now could
		// begin below what the other layout's holders are granted later.
		return f.rest(at, 1, nil)
	}
	live := 0
	for _, r := range a.view.Rows {
		if a.view.Live(r) {
			live++
		}
	}
	f.growth.most = max(1, f.pace/max(1, live))
	next := f.growth.begin(&f.c, at, a.view)
	if next == nil {
		return over
	}
	if f.phase = growing; live > f.pace && int(at.nonce[1])%(live/f.pace+1) != 0 {
		return f.rest(at, 1, nil) // it is another's turn
	}
	return action{call: next}
}

// rest waits about this many seconds until the next round.
func (f *filler) rest(at moment, seconds int, err error) action {
	f.phase = idle
	if f.err = err; err != nil && f.failure.Meet(at.mono, err) {
		f.c.Logger.Warn("cannot create rows for more worker ids; retrying", "reason", err)
	} else if err == nil {
		f.failure.End()
	}
	wait := time.Duration(seconds) * time.Second
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
