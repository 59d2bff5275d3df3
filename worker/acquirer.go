package worker

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// acquirer takes a row: the step function of Assign.
//
//	reading ──▶ taking ──▶ over, when the store has acknowledged the write
//	 ▲  ▲ │        │ else
//	 │  │ ▼        ▼
//	 │ growing  settling ──▶ over, when the row shows that the write was applied
//	 │             │
//	idle ◀─────────┘
//
// It grows the pool when no row may be taken, and none will be as soon as a new one. It is
// idle as long as one will be at a known time. It is over, too, after an error that another
// attempt would only meet again.
//
// It takes a row only after a view that showed no rows of another layout. Where there are
// some, it refuses as long as one of them reaches beyond now, and else deletes all rows of
// the place. Of two processes with two layouts, each opens its rows, or has had them opened,
// before its last view: so one of them sees the other's, and whoever took a row before it
// was deleted was granted nothing above what opens after.
type acquirer struct {
	c    Claim
	need Need
	pace int // how many rows a second may be created; 0: all at once

	phase    phase
	asked    time.Duration // by the monotonic clock, when the call was made whose answer is awaited
	h        holder
	survey   survey
	growth   growth
	complete bool        // the view by which it took a row showed all rows, and all were open
	write    store.Write // under way, or the last one
	cause    error       // of its failure
	attempt  int
	refused  int // how many writes have failed
	cleared  int // how often rows of other layouts were deleted

	err error // once it is over; nil: h holds a row
}

// phase is what a step function is waiting for.
type phase uint8

const (
	idle      phase = iota // for time to pass
	reading                // for the answers of a survey
	clearing               // for rows of other layouts to be deleted
	growing                // for rows to be created or opened
	taking                 // for the answer of the write that takes a row
	settling               // for the answers of a survey, after such a write was not acknowledged
	renewing               // for the answer of a write that renews
	leaving                // for the answers of a survey, before a release
	returning              // for the answer of a write that releases
	ended                  // for nothing
)

// mostRefused is how many writes may fail, and be seen not to have been applied, before
// the store counts as read-only.
const mostRefused = 3

// errMissed: a write's condition failed, although it held in the view before it.
var errMissed = errors.New("worker: the row changed meanwhile")

func (a *acquirer) step(at moment, ans answer) action {
	next := a.advance(at, ans)
	a.asked = at.mono
	return next
}

func (a *acquirer) advance(at moment, ans answer) action {
	switch a.phase {
	case reading:
		return a.read(at, ans)
	case clearing:
		if ans.err != nil {
			return a.fail(fmt.Errorf("worker: deleting the rows of layouts that are no longer in use: %w",
				ans.err))
		}
		if a.cleared++; a.cleared > 1 {
			// Somebody else begins with another layout: without random pauses, each would delete
			// the other's rows before they are open, for ever.
			a.phase = idle
			return action{wait: backOff(a.cleared, at.nonce), backoff: true}
		}
	case growing:
		if next, err := a.growth.next(ans); err != nil {
			return a.fail(fmt.Errorf("worker: %w", err))
		} else if next != nil {
			return action{call: next}
		}
	case taking:
		return a.took(at, ans)
	case settling:
		return a.settle(at, ans)
	}
	a.phase = reading
	first, last := a.c.First, a.c.Last
	if first == 0 && last == 0 {
		last = a.need.MaxID
	}
	return action{call: a.survey.begin(a.need.pool(), first, last)}
}

func (a *acquirer) fail(err error) action {
	a.err = err
	return over
}

// read takes the best of the rows over.
func (a *acquirer) read(at moment, ans answer) action {
	next, err := a.survey.next(&a.c, ans)
	switch {
	case err != nil:
		return a.fail(fmt.Errorf("worker: reading worker ids: %w", err))
	case next != nil:
		return action{call: next}
	}
	v := a.survey.view
	if err := a.c.serves(at, at.mono-a.asked, v, a.need); err != nil {
		return a.fail(err)
	}
	if clear, err := a.c.alone(v); err != nil {
		return a.fail(err)
	} else if clear != nil {
		a.phase = clearing
		return action{call: clear}
	}
	row, err := a.c.choose(at, v)
	if err == nil {
		a.growth.first, a.growth.last = a.c.span(v, a.need)
		a.complete = a.growth.complete(v)
		a.phase, a.write = taking, a.h.acquire(v, row, at.nonce)
		return action{call: write{a.write}}
	}
	var parked *parkedError
	waits := errors.As(err, &parked)
	soonest := v.Opening(v.Now.Add(openingLag), a.c.slack(v)) + 1 // of a new one
	if !waits || parked.next > soonest || a.pace > 0 && !a.growth.has {
		// It would not come free as soon as a new one, or somebody else waits for it who
		// created it.
		if q := a.grow(at, v); q != nil {
			a.phase = growing
			return action{call: q}
		}
	}
	if waits {
		a.phase = idle
		return action{wait: parked.wait(v.Now, at.nonce), backoff: true, blocked: err}
	}
	return a.fail(err)
}

// grow begins a round of growth, unless there is nothing to do, or somebody else does it.
func (a *acquirer) grow(at moment, v store.View) call {
	if a.c.ExistingOnly {
		return nil
	}
	a.growth.first, a.growth.last = a.c.span(v, a.need)
	a.growth.most = math.MaxInt
	if a.pace > 0 {
		a.growth.most = 1 // which it needs itself; the others are created beside its work
	}
	return a.growth.begin(&a.c, at, v)
}

func (a *acquirer) took(at moment, ans answer) action {
	a.h.wrote(a.write, ans.applied, ans.err)
	a.cause = ans.err
	if ans.err != nil {
		a.refused++
	}
	if errors.Is(ans.err, ErrClock) { // it was not sent
		return a.fail(fmt.Errorf("worker: acquiring worker id %d: %w", a.h.worker, ans.err))
	}
	if ans.applied {
		return a.settled(at)
	}
	// Whether it was applied is not known, or this was the answer to a repetition: the
	// row shows which (I8).
	a.phase = settling
	return action{call: a.survey.begin(a.need.pool(), a.h.worker, a.h.worker)}
}

func (a *acquirer) settle(at moment, ans answer) action {
	next, err := a.survey.next(&a.c, ans)
	switch {
	case err != nil:
		return a.fail(fmt.Errorf("worker: acquiring worker id %d: %w; then reading it: %w", a.h.worker,
			cmp.Or(a.cause, errMissed), err))
	case next != nil:
		return action{call: next}
	}
	// no alarm if somebody else took the row: the next attempt takes another
	a.h.see(a.survey.view)
	return a.settled(at)
}

// settled goes on once the outcome of the write is known.
func (a *acquirer) settled(at moment) action {
	switch {
	case len(a.h.spans) > 0:
		return over
	case a.refused == mostRefused:
		return a.fail(fmt.Errorf(
			"worker: acquiring worker id %d: the store can be read but not written: %w", a.h.worker,
			a.cause))
	}
	// Somebody was faster. A random pause keeps processes from colliding again.
	a.phase = idle
	a.attempt++
	return action{wait: backOff(a.attempt-1, at.nonce), backoff: true}
}

// keeper returns the keeper of the row that was taken.
func (a *acquirer) keeper(at moment) keeper { return newKeeper(at, a.c, a.h, a.survey.view) }
