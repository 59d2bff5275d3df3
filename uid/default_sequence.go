package uid

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
)

// sequence gives out the numbers of a worker id, each once. A number is a tick, a turn and
// what the layout calls the sequence. Those with turn 0 and those with turn 1 are two tracks.
// last is the latest number, on the track in use; other is the latest on the other track. Each
// track only grows:
//
//	last and other change under mu, while no segment runs. last becomes a greater number of
//	its track or, in a turn, a number of the other track that is greater than other,
//	whereupon other becomes what last was;
//	a segment gives out the numbers above last, and last is the latest of them when the segment
//	has been closed
//
// So no number is given out twice. Reserved numbers are below MinSeq, and no track uses them;
// reserve says what guards them.
//
// A segment belongs to a term, and a term to one lease and one track. A lease that is replaced,
// fenced or restored ends its term, and only then is there another:
//
//	the old term's segment is closed before cur is the new term, and none of it is opened again
//	last >= every number of the old term's track, and its tick has none left
//
// A call takes its lease from the term of its segment, or from the one that is in force while it
// holds mu. So a call that is halfway through a segment when its lease ends gets nothing: no id of
// that lease comes after, and later numbers are above all of the track.
type sequence struct {
	*source
	cur atomic.Pointer[term] // changes under mu
	_   cacheline.Pad

	// mu is held while the clock and the lease are asked, neither of which calls the generator. So
	// their answers are true of the state that mu guards, and once it was held to end a term,
	// nothing of that term is given out.
	mu    sync.Mutex
	last  Parts // without Time and Worker; Tick -1 before the first
	other Parts // Tick -1: that track was never used
	drift drift
	taken int64 // how many were given out, without those of the running segment
	past  reserve
	queue queue
}

// drift is a run of ticks ahead of the clock, of which last's is the latest. It is over when
// last is in the clock's tick or after a turn.
type drift struct {
	borrowed int64         // ticks borrowed, since one was full; or
	granted  bool          // it began with the grant, and the clock has not caught up since
	since    time.Duration // if granted: when its latest tick was due, by the monotonic clock
}

// begin makes the sequence ready for use. Its term may be of a lease that is replaced before
// the first take, which checks for that.
func (s *sequence) begin(from *source) *sequence {
	s.source, s.last, s.other = from, Parts{Tick: -1, Turn: from.conf.Turn}, Parts{Tick: -1}
	s.queue.begin()
	s.cur.Store(s.newTerm(s.held.Load()))
	return s
}

// stop closes the segment, if one runs. The caller holds the lock.
func (s *sequence) stop() {
	n := s.cur.Load().close()
	s.last.Seq, s.taken = s.last.Seq+n, s.taken+n
}

// renew ends the sequence's term and begins one under the lease in force. It ends the tick too:
// another worker id, if it is lower, would give smaller ids in it. It returns what highest does.
func (s *sequence) renew() (last int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	s.last.Seq = s.layout.maxSeq()
	s.cur.Store(s.newTerm(s.held.Load()))
	return s.highest()
}

// highest returns the highest tick of a number that was given out, counted from the Unix epoch;
// math.MinInt64 for none. The caller holds the lock.
func (s *sequence) highest() int64 {
	if tick := max(s.last.Tick, s.other.Tick); tick >= 0 {
		return s.firstTick + tick
	}
	return math.MinInt64
}

// given returns what highest does, and how many numbers were given out.
func (s *sequence) given() (highest, taken int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.highest(), s.taken + s.cur.Load().given()
}

// reserve is how reserved sequence numbers are used when the clock was set back. Each step back
// takes the next number, and gives one id with it in each tick before the last id's, downwards.
// tops[i] is the highest tick that was ever begun with number i; a later step with that number
// stops above it:
//
//	with number i, ticks come in runs, each from its top down to above the top of
//	the run before
//
// So no tick has a number twice, wherever a run's top lies. With a worker id that is not fenced,
// the top is the clock's tick: no tick is minted before it begins, which is how the next start of
// the worker id keeps clear of it (heldLease).
type reserve struct {
	tops   map[int64]int64
	number int64 // in use; 0 before the first step
	tick   int64 // of the next id
	bottom int64 // the run ends above it; 0, Yitter's first tick, for a number's first run
	since  Parts // the sequence's last number when the step began
}
