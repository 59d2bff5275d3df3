package bench

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
)

// together runs f on n goroutines that begin at the same moment, each with its
// number, and returns how long it took until the last was done.
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

// A round adds to the shared counter as often as it takes ids, within these
// bounds; the upper one is some 15 ms.
const (
	fewestAdds = 1 << 17
	mostAdds   = 1 << 21
)

// roundAdds is how many adds go with so long a load: one for each nanosecond, which
// is about an id's time at best. A short round need not wait for the most.
func roundAdds(load time.Duration) int64 { return min(max(int64(load), fewestAdds), mostAdds) }

// addAtomically has so many goroutines add to one counter in a closed loop until
// it has reached adds, and returns where it came to and how long that took.
func addAtomically(c clock, goroutines int, adds int64) (got int64, took time.Duration) {
	adds = min(max(adds, fewestAdds), mostAdds)
	// Alone on its cache lines: only the goroutines' own adds are to be measured.
	var shared struct {
		_     cacheline.Pad
		count atomic.Int64
		_     cacheline.Pad
	}
	took = together(c, goroutines, func(int) {
		// All stop at once: a share for each would leave the slower ones to add
		// undisturbed at the end.
		for shared.count.Add(1) < adds {
		}
	})
	return shared.count.Load(), took
}
