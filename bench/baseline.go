package bench

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/uid"
)

// together runs f on n goroutines that start at the same moment, passing each its number, and
// returns the time until the last one was done.
func together(c clock, n int, f func(i int)) time.Duration {
	var (
		ready, done sync.WaitGroup
		begin       = make(chan struct{})
	)
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			<-begin
			f(i)
		})
	}
	ready.Wait()
	start := c.now()
	close(begin)
	done.Wait()
	return c.now() - start
}

// A round adds to the shared counter as often as it takes ids, within these bounds; the upper
// one takes some 15 ms. No figure counts under the race detector.
const (
	fewestAdds = 1 << 17 / race.Slow
	mostAdds   = 1 << 21 / race.Slow
)

// roundAdds returns how many adds go with a load of this length. When all CPUs contend for the
// counter an add takes some 20 ns, so the adds take about as long as the load, and a short run
// ends soon; the fewest adds take a few milliseconds.
func roundAdds(load time.Duration) int64 { return min(max(int64(load)/32, fewestAdds), mostAdds) }

// measureBaseline returns the least that ids could cost, as wall time per operation in
// nanoseconds: this many goroutines add to one counter in a closed loop until it has reached
// adds, once inline and once by calls that return an id and an error.
func measureBaseline(c clock, goroutines int, adds int64) (add, call float64) {
	adds = min(max(adds, fewestAdds), mostAdds)
	// All goroutines stop at once: with a share for each, the slower ones would add undisturbed at
	// the end.
	var shared counter
	add = shared.cost(together(c, goroutines, func(int) {
		for shared.count.Add(1) < adds {
		}
	}))
	shared.count.Store(0)
	call = shared.cost(together(c, goroutines, func(int) {
		var ids [scratchIDs]uid.ID
		for last := uid.ID(0); int64(last) < adds; {
			last = shared.fill(ids[:])
		}
	}))
	return add, call
}

// counter has its cache lines to itself: only the goroutines' own adds are to be measured.
type counter struct {
	_     cacheline.Pad
	count atomic.Int64
	_     cacheline.Pad
}

// next does the least that a call must do to hand out ids in one order.
//
//go:noinline
func (c *counter) next() (uid.ID, error) { return uid.ID(c.count.Add(1)), nil }

// fill has the same loop as the takers.
func (c *counter) fill(dst []uid.ID) (last uid.ID) {
	for i := range dst {
		id, err := c.next()
		if err != nil {
			return last
		}
		dst[i], last = id, id
	}
	return last
}

func (c *counter) cost(took time.Duration) float64 {
	return quotient(float64(took), float64(c.count.Load()))
}
