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
}

// newSchedule is that of loader i. All loaders' calls together are due Rate times
// a second.
func newSchedule(c Config, i int) schedule {
	interval := float64(time.Second) / c.Rate
	if c.Poisson {
		s := &poisson{
			mean: interval * float64(c.Goroutines),
			rand: rand.New(rand.NewPCG(poissonSeed, uint64(c.first+i))),
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

func (s *constant) due() time.Duration { return time.Duration(float64(s.next) * s.interval) }
func (s *constant) advance()           { s.next += s.step }

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

func (s *poisson) due() time.Duration { return time.Duration(s.at) }
func (s *poisson) advance()           { s.at += s.mean * s.rand.ExpFloat64() }
