package bench

import "time"

// A schedule says when the calls of one loader are due in an open loop, counted from the
// start of the load. The loaders' calls are due in turn, at constant intervals.
type schedule struct {
	next, step int64
	interval   float64 // nanoseconds between two calls of all loaders
}

// newSchedule is that of loader i. All loaders' calls together are due Rate times
// a second.
func newSchedule(c Config, i int) schedule {
	return schedule{
		next:     int64(i),
		step:     int64(c.Goroutines),
		interval: float64(time.Second) / c.Rate,
	}
}

// never is later than any run ends; a run's start can be added to it.
const never = 1 << 62

// due is when the next call is. A low rate has later times than a Duration holds.
func (s *schedule) due() time.Duration {
	if ns := float64(s.next) * s.interval; ns < never {
		return time.Duration(ns)
	}
	return never // NaN too
}

// skip leaves so many calls out.
func (s *schedule) skip(calls int64) { s.next += calls * s.step }

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
		l.schedule.skip(each)
		counted += each
	}
	return counted
}
