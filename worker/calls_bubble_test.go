package worker

import (
	"sync"
	"testing"
	"testing/synctest"
)

// Go 1.26's race detector has one context for all timers of a bubble. It crashes when two
// goroutines find one that has expired, as that of time.After(0), in the same moment.
func TestAWaitOfNoTimeHasNoTimer(t *testing.T) {
	for range 300 {
		synctest.Test(t, func(t *testing.T) {
			var all sync.WaitGroup
			for range 8 {
				p := Claim{}.withDefaults().caller(t.Context(), nil, Need{})
				all.Go(func() {
					for range 200 {
						_ = p.sleep(0, nil)
					}
				})
			}
			all.Wait()
		})
	}
}
