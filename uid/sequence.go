package uid

import (
	"sync"
	"sync/atomic"

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
//	last and other change by a successful swap of last alone, from a value of a
//	track to a greater one of the same track, or, in a turn, to a value greater
//	than other of the other track, whereupon other becomes what last was
//
// so no value is given out twice. Reserved numbers are below min or above max, which
// no track uses; what guards them is at reserve.
//
// last belongs to a term, and the term to one tenure. A tenure that is replaced,
// fenced or restored ends its term, and only then is there another:
//
//	old.last is sealed before cur is the new term, and sealed for good
//	new.last >= every value of the old term's track, and its tick has none left
//
// A call takes its tenure from the term whose last it swaps. So one that is
// halfway through when its tenure ends has its swap fail, whatever its last was:
// no id of that tenure comes after, and later values are above all of the track.
type sequence struct {
	_   cacheline.Pad
	cur atomic.Pointer[term] // nil before the first call; changes under mu
	_   cacheline.Pad

	mu sync.Mutex // held for a few instructions, never while foreign code runs
	beside
	past reserve
}

// term is a sequence under one tenure.
type term struct {
	_    cacheline.Pad
	last atomic.Int64 // -1 before the first
	_    cacheline.Pad
	t    *tenure // never written
}

// sealed is what the last of a term is that has ended: neither a value nor what
// it begins with.
const sealed = -2

// beside is what the rare cases go by besides last: the clock went back, or the
// tick is full. It changes together with last.
type beside struct {
	other int64 // -1: that track was never used
	drift drift
}

// drift is a run of borrowed ticks: from the tick that was full first to the
// latest. It is over as soon as last is in another tick.
type drift struct{ from, to int64 }

// current is the sequence's term, which may be its first. A replacement that is
// under way is waited for.
func (s *sequence) current(tenure *atomic.Pointer[tenure]) *term {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur := s.cur.Load(); cur != nil {
		return cur
	}
	s.beside = beside{other: -1, drift: drift{to: -1}}
	first := &term{t: tenure.Load()}
	first.last.Store(-1)
	s.cur.Store(first)
	return first
}

// look returns what is beside last; false when last is another by now. As no value
// comes back, it holds until last is swapped.
func (s *sequence) look(cur *term, last int64) (b beside, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.beside, s.at(cur, last)
}

// at: nothing was given out since last. The caller has the lock.
func (s *sequence) at(cur *term, last int64) bool {
	return s.cur.Load() == cur && cur.last.Load() == last
}

// move gives out v after last.
func (s *sequence) move(cur *term, last, v int64, b beside) (int64, *block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !cur.last.CompareAndSwap(last, v) {
		return 0, again // a call that saw a later clock was faster, or the term has ended
	}
	s.beside = b
	return v, nil
}

// renew ends a sequence's term and begins one under the tenure in force. It ends
// the tick too: another worker id, if it is lower, would give smaller ids in it.
// It returns the highest value until then, or -1.
func (r *rules) renew(s *sequence, tenure *atomic.Pointer[tenure]) (highest int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.cur.Load()
	if old == nil {
		return -1 // it begins with what is in force then
	}
	last := old.last.Swap(sealed)
	if last != sealed { // else it is closed
		next := &term{t: tenure.Load()}
		next.last.Store(r.endOfTick(last))
		s.cur.Store(next)
	}
	return max(last, s.other)
}

// seal ends the term for good.
func (s *sequence) seal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur := s.cur.Load(); cur != nil {
		s.other = max(s.other, cur.last.Swap(sealed))
	}
}

// highest is the greatest value that was given out, or -1.
func (s *sequence) highest() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur := s.cur.Load(); cur != nil {
		return max(cur.last.Load(), s.other)
	}
	return -1
}
