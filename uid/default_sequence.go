package uid

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
)

// sequence gives out the values of a worker id, each once. A value is an id
// without worker and tail:
//
//	value = tick | turn | sequence, with the tick counted from the layout's first
//
// Values with turn 0 and those with turn 1 are two tracks. last is the latest
// value, on the track in use; other is the latest on the other track. Each track
// only grows:
//
//	last and other change under mu, while no lap runs, from a value of a track to
//	a greater one of the same track, or, in a turn, to a value greater than other
//	of the other track, whereupon other becomes what last was;
//	a lap gives out the values above last, and last is the latest of them when
//	the lap has been closed
//
// so no value is given out twice. Reserved numbers are below min or above max, which
// no track uses; what guards them is at reserve.
//
// Laps are a term's, and the term is of one lease and one track. A lease that is
// replaced, fenced or restored ends its term, and only then is there another:
//
//	old's lap is closed before cur is the new term, and none of it is opened again
//	last >= every value of the old term's track, and its tick has none left
//
// A call takes its lease from the term of its lap, or of which it saw last. So one
// that is halfway through when its lease ends gets nothing from the lap, and nothing
// under mu: no id of that lease comes after, and later values are above all of the
// track.
type sequence struct {
	cur atomic.Pointer[term] // nil before the first call; changes under mu
	_   cacheline.Pad

	mu sync.Mutex // held for a few instructions, never while foreign code runs
	state
	past reserve
	line line
}

// state is what a sequence has come to.
type state struct {
	last    int64 // -1 before the first
	running bool  // a lap is open, which began above last
	sealed  bool  // nothing is given out any more
	taken   int64 // how many values were given out, without the running lap's
	beside
}

// beside is what the rare cases go by besides last: the clock went back, the tick is
// full, or the grant begins ahead of the clock.
type beside struct {
	other int64 // -1: that track was never used
	drift drift
}

// drift is a run of ticks ahead of the clock: of ticks that are borrowed, from the one that
// was full first to the latest, or of a grant that begins ahead of the clock, from its first
// tick to the latest. It is over as soon as last is in another tick.
type drift struct {
	from, to int64
	granted  bool          // it began with the grant; the clock has not caught up since
	since    time.Duration // then its latest tick was due, by the monotonic clock
}

var noDrift = drift{to: -1}

// term is a sequence under one lease, on one track.
type term struct {
	lease *heldLease
	lap
}

// next takes the next id out of the lap that runs, if one does; now is by the
// monotonic clock, read before.
func (s *sequence) next(now time.Duration) (ID, bool) {
	cur := s.cur.Load()
	if cur == nil {
		return 0, false
	}
	v, last := cur.claim(now)
	return cur.id(v), v <= last
}

// newTerm makes a term without a lap.
func (g *DefaultGenerator) newTerm(h *heldLease) *term {
	n, f := &term{lease: h}, &g.fields
	n.below = uint8(f.seq.shift)
	n.ending = f.compose(Parts{Worker: h.WorkerID()}) & ID(mask(f.seq.shift))
	n.next.Store(above)
	return n
}

// current is the sequence's term, which may be its first. A replacement that is
// under way is waited for.
func (g *DefaultGenerator) current(s *sequence) *term {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur := s.cur.Load(); cur != nil {
		return cur
	}
	s.last, s.beside = -1, beside{other: -1, drift: noDrift}
	first := g.newTerm(g.held.Load())
	s.cur.Store(first)
	return first
}

// inspect stops the lap, if the clock or its values are at an end, and returns what the
// sequence has come to. False when there is another term or a lap that lasts.
func (s *sequence) inspect(cur *term, mono func() time.Duration) (now state, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cur.Load() != cur || s.running && cur.lasts(mono()) {
		return now, false
	}
	s.stop()
	return s.state, true
}

// stop closes the lap, if one runs. The caller has the lock.
func (s *sequence) stop() {
	if s.running {
		n := s.cur.Load().close()
		s.last, s.taken, s.running = s.last+n, s.taken+n, false
	}
}

// renew ends a sequence's term and begins one under the lease in force. It ends
// the tick too: another worker id, if it is lower, would give smaller ids in it.
// It returns the highest value until then, or -1.
func (g *DefaultGenerator) renew(s *sequence) (highest int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cur.Load() == nil {
		return -1 // it begins with what is in force then
	}
	s.stop()
	highest = max(s.last, s.other)
	if !s.sealed {
		s.last = g.endOfTick(s.last)
		s.cur.Store(g.newTerm(g.held.Load()))
	}
	return highest
}

// seal ends the sequence for good.
func (s *sequence) seal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	s.sealed = true
}

// given is the greatest value that was given out, or -1, and how many were.
func (s *sequence) given() (highest, taken int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cur := s.cur.Load()
	if cur == nil {
		return -1, 0
	}
	n := int64(0)
	if s.running {
		n = cur.given()
	}
	return max(s.last+n, s.other), s.taken + n
}
