package bench

import (
	"math/rand/v2"
	"time"
)

// A schedule says when the calls of one loader are due in an open loop, counted
// from the start of the load.
type schedule interface {
	// due is when the next call is.
	due() time.Duration
	// advance goes on to the call after it.
	advance()
	// skip leaves so many calls out, and takes the time that they take on average.
	skip(calls int64)
}

// newSchedule is that of loader i. All loaders' calls together are due Rate times
// a second.
func newSchedule(c Config, i int) schedule {
	interval := float64(time.Second) / c.Rate
	if c.Poisson {
		s := &poisson{
			mean: interval * float64(c.Goroutines),
			rand: rand.New(rand.NewPCG(poissonSeed, uint64(i))),
		}
		s.advance()
		return s
	}
	return &constant{next: int64(i), step: int64(c.Goroutines), interval: interval}
}

// constant intervals: the loaders' calls are due in turn.
type constant struct {
	next, step int64
	interval   float64 // nanoseconds between two calls of all loaders
}

func (s *constant) due() time.Duration { return moment(float64(s.next) * s.interval) }
func (s *constant) advance()           { s.skip(1) }
func (s *constant) skip(calls int64)   { s.next += calls * s.step }

// never is later than any run ends; a run's start can be added to it.
const never = 1 << 62

// moment is a time in nanoseconds, of which a low rate has more than a Duration holds.
func moment(ns float64) time.Duration {
	if ns < never {
		return time.Duration(ns)
	}
	return never // NaN too
}

// poisson arrivals: whatever came before, a call is as likely in this moment as in
// any other, as with many users who know nothing of each other. The intervals are
// exponential, and the sum of independent Poisson processes is one too.
type poisson struct {
	at   float64 // nanoseconds
	mean float64 // nanoseconds between two calls of this loader
	rand *rand.Rand
}

// poissonSeed is the same for all runs, so that they have the same bursts.
const poissonSeed = 1

func (s *poisson) due() time.Duration { return moment(s.at) }
func (s *poisson) advance()           { s.at += s.mean * s.rand.ExpFloat64() }
func (s *poisson) skip(calls int64)   { s.at += s.mean * float64(calls) }

// countOverdue counts the calls of an open loop that were due before it ended and
// got no answer, with the time that they had waited until then. Without them a
// generator that stalls for good would have made nobody wait.
func (r *run) countOverdue() {
	if r.Rate == 0 || r.Count > 0 && r.todo == 0 {
		return
	}
	end := r.loadTime()
	if r.Count == 0 {
		end = min(end, r.Duration) // the rest was for the calls that were underway
	}
	for _, l := range r.loaders {
		r.neverRan += l.countOverdue(end)
	}
}

// mostOverdue calls of a loader are counted one by one. One of more stands for
// several, which a distribution does not show.
const mostOverdue = 1 << 20

func (l *loader) countOverdue(end time.Duration) (counted int64) {
	first := l.schedule.due()
	calls := int64((end - first).Seconds() * l.run.Rate / float64(l.run.Goroutines))
	each := 1 + calls/mostOverdue
	for due := first; due < end; due = l.schedule.due() {
		record(l.calls, end-due, each)
		l.schedule.skip(each - 1)
		l.schedule.advance()
		counted += each
	}
	return counted
}
