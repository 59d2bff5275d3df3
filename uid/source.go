package uid

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// progressTimeout is how long a take without a context waits for progress.
const progressTimeout = 5 * time.Second

// source says which ticks may be minted: those of the layout's time that the lease in force
// grants. It does not know who mints them.
type source struct {
	conf   settings // defaults filled in
	layout Layout   // conf's
	fields fields   // of the layout
	held   atomic.Pointer[heldLease]
	grants broadcast.Signal // the grant changed, or another lease is in force

	noOther atomic.Pointer[error] // why there is no other worker id yet for one that was lost

	// The layout's first and last tick, counted from the Unix epoch as a lease counts.
	firstTick, lastTick int64
	over                error // returned after lastTick, with what the clock shows

	start time.Time       // where mono begins
	life  context.Context // ends with Close: then nothing is minted

	waits, rejected, faults atomic.Int64
}

// anyAhead is how far a generator that has no bound may borrow.
const anyAhead = math.MaxInt64

// block is why there is no id now.
type block struct {
	err     error
	now     time.Time       // what the clock showed
	until   time.Time       // wait until the clock shows this,
	changed <-chan struct{} // or this is closed; neither: waiting does not help
}

// begin prepares the source of a generator that lives as long as life.
func (s *source) begin(life context.Context, c settings) {
	s.life, s.conf, s.layout, s.fields, s.start = life, c, c.Layout, c.Layout.fields(), time.Now()
	s.firstTick = c.Layout.epochTick()
	s.lastTick = s.firstTick + c.Layout.maxTick()
	if s.lastTick < s.firstTick {
		s.lastTick = math.MaxInt64 // a layout of 62 time bits and more
	}
	s.over = fmt.Errorf("%w: %v ends at %s", ErrTimeOver, c.Layout, timeString(c.Layout.End()))
}

// mono reads the monotonic clock. Where a call must be fast, it is written out.
func (s *source) mono() time.Duration { return time.Since(s.start) }

// newHeld makes the heldLease of a lease that was just acquired.
func (s *source) newHeld(l worker.Lease, number, restores int64) *heldLease {
	h := &heldLease{Lease: l, number: number, restores: restores,
		earliest: s.conf.firstAbove(l.WorkerID())}
	if s.unborrowed(l) {
		h.earliest, h.noBorrow = max(h.earliest, s.layout.unixTick(s.conf.Now())+1), true
	}
	return h
}

// unborrowed reports whether no tick may be minted with the worker id before the tick begins.
// A lease that grants ticks one by one begins above its last holder's, whatever its class is; one
// of one's own that grants all of them may begin at 0.
func (s *source) unborrowed(l worker.Lease) bool {
	lo, _ := l.Grant()
	return l.Class() == worker.Unfenced && lo < s.firstTick && !s.conf.AllowRepeats
}

// granted returns the ticks that may be minted: the lease's within the layout's. why is the
// reason that there are none above hi, and final says that there never will be.
func (s *source) granted(h *heldLease) (lo, hi int64, why error, final bool) {
	lo, hi = h.Grant()
	if lost := h.lost(); lost != nil {
		why = fmt.Errorf("%w: worker id %d: %w", ErrLeaseLost, h.WorkerID(), lost)
		final = s.conf.OnLeaseLost == policy.GiveUp || h.ended()
		if other := s.noOther.Load(); other != nil {
			why = fmt.Errorf("%w; %w", why, *other)
		}
		if h.mustFlush() {
			return 0, -1, why, final
		}
	} else if hi >= s.lastTick {
		why, final = s.over, true
	}
	return max(lo, h.earliest, s.firstTick), min(hi, s.lastTick), why, final
}

// ungrantedAbove says why no tick above hi may be minted now; lo, hi and why are granted's.
func (s *source) ungrantedAbove(h *heldLease, lo, hi int64, why error) error {
	if why != nil {
		return why
	}
	err := fmt.Errorf("%w: it grants none, and more has been asked for", ErrGrantEnded)
	if lo <= hi {
		err = fmt.Errorf("%w: it grants ids until %s, and more has been asked for", ErrGrantEnded,
			timeString(s.layout.tickStart(hi+1)))
	}
	if l, ok := h.Lease.(interface{ Stalled() error }); ok && l.Stalled() != nil {
		err = fmt.Errorf("%w: %w", err, l.Stalled())
	}
	return err
}

// ungranted says why the lease does not let tick be minted; nil if it does.
func (s *source) ungranted(h *heldLease, tick int64) *block {
	h.Want(tick)
	changed := s.grants.Next() // before looking, so that no change is missed
	lo, hi, why, final := s.granted(h)
	switch {
	case lo <= tick && tick <= hi:
		return nil
	case lo <= hi && tick < lo: // before final, which is about ticks above hi
		begin := s.layout.tickStart(lo)
		switch {
		case h.noBorrow:
			return notBegun(begin)
		case lo == h.earliest:
			why = fmt.Errorf("%w: ids above Config.Above begin at %s", ErrAhead, timeString(begin))
		default:
			why = fmt.Errorf("%w: it grants ids from %s on", ErrGrantEnded, timeString(begin))
		}
		return &block{err: why, until: begin, changed: changed}
	case final:
		return &block{err: why}
	}
	return &block{err: s.ungrantedAbove(h, lo, hi, why), changed: changed}
}

// notBegun says that a worker id which is not fenced makes no ids ahead of the clock.
func notBegun(begin time.Time) *block {
	return &block{
		err: fmt.Errorf("%w: the worker id is not fenced, so no ids are made ahead of the clock, "+
			"the next at %s", ErrAhead, timeString(begin)),
		until: begin,
	}
}

// check says why a lease cannot be used.
func (s *source) check(l worker.Lease) error {
	id := l.WorkerID()
	if err := l.Err(); err != nil {
		return fmt.Errorf("%w: worker id %d at once: %w", ErrLeaseLost, id, err)
	}
	if !fits(id, s.layout.WorkerBits) {
		return fmt.Errorf("%w: worker id %d, the layout %v holds 0 to %d: choose one with more worker "+
			"bits", ErrWorkerID, id, s.layout, s.layout.MaxWorker())
	}
	if err := s.conf.hasAbove(id); err != nil {
		return err
	}
	if unit := s.layout.Unit; unit > progressTimeout && s.unborrowed(l) {
		return fmt.Errorf("%w: worker id %d is not fenced, so its first id, of the next tick, would "+
			"be as far off as %v: "+
			"use worker.Disposable or worker.Leased, which need not wait, or set Config.AllowRepeats if "+
			"ids may be duplicated after a restart", ErrConfig, id, unit)
	}
	return nil
}

// checkAbove refuses an Above whose first tick neither has begun, nor begins within
// progressTimeout, nor may be borrowed: ahead and what the lease grants limit that. l is nil before
// a worker id is spent: the check is then for the one whose ids are the first above Above.
func (s *source) checkAbove(l worker.Lease, ahead time.Duration) error {
	if s.conf.Above == 0 {
		return nil
	}
	id, now := s.layout.MaxWorker(), s.conf.Now()
	latest, because := now.Add(ahead), fmt.Sprintf("MaxAhead is %v", ahead)
	if ahead == 0 {
		because = "a default generator makes none ahead of the clock"
	}
	if l != nil {
		id = l.WorkerID()
		if s.unborrowed(l) {
			latest, because = now, "a worker id that is not fenced makes no ids ahead of the clock"
		}
		// Grants follow the clock: the tick after the last one is granted when the next tick begins.
		into := now.Sub(s.layout.tickStart(s.layout.unixTick(now)))
		lo, hi := l.Grant()
		if last := s.layout.tickStart(hi).Add(into); lo <= hi && last.Before(latest) {
			latest = last
			because = "the worker id is granted until " + timeString(s.layout.tickStart(hi+1))
		}
	}
	if err := s.conf.hasAbove(id); err != nil {
		return err
	}
	begin := s.layout.tickStart(s.conf.firstAbove(id))
	if !begin.Before(latest.Add(progressTimeout)) {
		return fmt.Errorf("%w: Above is %d, so that the first id is of %s, and %s: choose a layout "+
			"whose ids of today are greater (an earlier epoch, or more bits below the time)",
			ErrConfig, s.conf.Above, timeString(begin), because)
	}
	if l != nil && !begin.Before(now.Add(progressTimeout)) {
		s.conf.Logger.Warn("ids begin ahead of the clock, to be above Config.Above", "begin", begin,
			"ahead", begin.Sub(now))
	}
	return nil
}
