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
	news  bool      // worth a line in the log
	final bool      // never again
}

// next is the tick to mint, or why there is none now.
func (p *Padder) next(now time.Time) (int64, *pause) {
	g := p.mint.Grant()
	present := p.c.Tick(now)
	tick := max(present, g.Lo)
	if p.last != math.MinInt64 {
		tick = max(tick, p.last+1)
	}
	p.mint.Want(tick)
	switch {
	case tick > g.Hi && g.Final:
		return 0, &pause{err: g.Why, news: true, final: true}
	case tick > g.Hi:
		return 0, p.ungranted(g, tick, present)
	case g.NoBorrow:
		return p.inTime(tick, now, 0)
	case p.c.MaxAhead > 0:
		return p.inTime(tick, now, p.c.MaxAhead)
	}
	return tick, nil
}

// inTime holds back a tick that begins more than ahead after now.
func (p *Padder) inTime(tick int64, now time.Time, ahead time.Duration) (int64, *pause) {
	if tick <= p.c.Tick(now.Add(ahead)) {
		return tick, nil
	}
	until := p.c.Start(tick).Add(-ahead)
	return 0, &pause{
		err:   fmt.Errorf("%w, %v: the next tick may be minted at %s", p.c.ErrAhead, ahead, until.Format(time.RFC3339Nano)),
		until: until,
		ahead: true,
	}
}

// ungranted is the pause of a tick that the lease does not grant.
func (p *Padder) ungranted(g Grant, tick, present int64) *pause {
	w := &pause{news: true}
	switch {
	case g.Why != nil:
		w.err = g.Why
	case g.Lo > g.Hi:
		w.err = fmt.Errorf("%w: it grants none, and more has been asked for", p.c.ErrGrantEnded)
	default:
		w.err = fmt.Errorf("%w: it grants ids until %s, and more has been asked for", p.c.ErrGrantEnded, p.c.Start(g.Hi+1).Format(time.RFC3339Nano))
		w.news = g.Hi != present // else it may be one that grants as time passes
	}
	if tick > present {
		w.until = p.c.Start(tick)
	}
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
	case next.news && (p.mint.Used() == 0 || next.until.IsZero()):
		p.waitsForLease(next.err)
	}
}

// waitsForLease logs that, but not every second: a load that uses all that is granted
// waits again and again.
func (p *Padder) waitsForLease(why error) {
	now := p.c.Now()
	if p.warned || now.Sub(p.warnedAt).Abs() < time.Minute {
		return
	}
	p.warned, p.warnedAt = true, now
	p.c.Logger.Warn("minting paused: waiting for the worker id's lease", "reason", why)
}
