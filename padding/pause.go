package padding

import (
	"fmt"
	"math"
	"time"
)

// pause is why nothing may be minted now.
type pause struct {
	err   error
	until time.Time // when it may pass by itself; zero: when somebody wakes the padder
	ahead bool      // MaxAhead holds the padder back, or a grant of which nothing may be borrowed
	news  string    // what the log says that minting waits for; "": no line
	final bool      // never again
}

// next is the run of ticks to mint, from first to last, or why there is none now.
func (p *Padder) next(now time.Time) (first, last int64, why *pause) {
	lo, hi, end, noBorrow := p.mint.Grant()
	present := p.c.Tick(now)
	first = max(present, lo)
	if p.last != math.MinInt64 {
		first = max(first, p.last+1)
	}
	latest, ahead := int64(math.MaxInt64), p.c.MaxAhead
	if noBorrow {
		ahead = 0
	}
	if noBorrow || ahead > 0 {
		latest = p.c.Tick(now.Add(ahead))
	}
	last = first
	switch {
	case first > hi && end != nil: // it may be the clock that is wrong
		err := fmt.Errorf("%w (the clock shows %s)", end, now.UTC().Format(time.RFC3339Nano))
		why = &pause{err: err, final: true}
	case first > hi:
		why = &pause{err: p.mint.Ungranted(), news: "the worker id's lease"}
		if first > present {
			why.until = p.c.Start(first)
		}
	case first > latest:
		why = p.early(first, latest, ahead)
	default: // a difference of ticks may need 64 bits
		last += int64(min(uint64(min(hi, latest)-first), uint64(p.c.Run-1)))
	}
	p.mint.Want(last)
	return first, last, why
}

// early is the pause of a tick after the latest that may be minted now, for the sake of
// MaxAhead, or of a worker id that may not borrow: then ahead is 0. Where a tick after the
// latest was minted before, the clock was set back.
func (p *Padder) early(tick, latest int64, ahead time.Duration) *pause {
	w := &pause{until: p.c.Start(tick).Add(-ahead), ahead: true}
	bound := ahead.String()
	if ahead == 0 {
		bound = "0s, as this worker id may not borrow"
	}
	if p.back > 0 && tick-1 > latest {
		bound += fmt.Sprintf("; the clock was set back by about %v", p.back)
		if !p.backTold {
			w.news = "the clock, which was set back"
		}
	}
	w.err = fmt.Errorf("%w, %s: the next tick may be minted at %s",
		p.c.ErrAhead, bound, w.until.Format(time.RFC3339Nano))
	return w
}

// setPause notes why nothing is minted, or that minting has resumed, and logs it when
// that is new: takes wait for it, or will once the ring is empty.
func (p *Padder) setPause(next *pause) {
	was := p.pause
	p.pause = next
	switch {
	case next == nil:
		if p.warned {
			p.warned = false
			p.c.Logger.Info("minting resumed")
		}
	case next.final:
		if was == nil || !was.final {
			p.c.Logger.Error("no more ids can be minted", "reason", next.err)
		}
	case next.news != "" && (p.mint.Used() == 0 || next.until.IsZero()):
		p.pauses(next)
	}
}

// pauses logs that minting waits, but not every second: a load that uses all that is
// granted waits again and again.
func (p *Padder) pauses(next *pause) {
	now := p.c.Now()
	if p.warned || now.Sub(p.warnedAt).Abs() < time.Minute {
		return
	}
	p.warned, p.warnedAt = true, now
	p.c.Logger.Warn("minting paused: waiting for "+next.news, "reason", next.err)
}
