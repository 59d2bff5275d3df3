package uid

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/preempt"
)

// This file is put into package uid, see TestACopyAtEachStep. The machine is copied after each
// step of a call, the atomic operations and locks of its goroutine. What the call returns then was
// made after the copy, unless no step of it was left: then the program had it.
func TestACopyAtEachStep(t *testing.T) {
	goroutine := func() string {
		var b [64]byte
		return strings.SplitN(string(b[:runtime.Stack(b[:], false)]), " ", 3)[1]
	}
	steps := 0
	for kind, open := range constructors {
		for way := range waysToTake {
			for _, given := range []int{0, 4, 15} { // by a ring with slots of 8, if there is one
				for _, dealt := range []bool{true, false} { // by another goroutine, too
					for at, n := 1, math.MaxInt; at <= n; at++ {
						synctest.Test(t, func(t *testing.T) {
							c, m := testConfig(), new(copied)
							if c.Generation = &m.Uint64; given > 0 {
								c.MaxLag, c.RingSize = -1, 128
							}
							g, err := open(t.Context(), m, c)
							require.NoError(t, err)
							defer g.Close()
							synctest.Wait()
							n = 0
							take := waysToTake[way](g)
							if take == nil {
								return
							}
							for range max(given, 4) { // so that a stream holds some, or a slot's last
								_, err = take(2)
								require.NoError(t, err)
							}
							me := goroutine()
							hook := func() {
								if goroutine() != me {
									return
								}
								if n++; n == at {
									if m.Add(1); dealt {
										var done atomic.Bool
										go func() {
											g.base().deal()
											done.Store(true)
										}()
										for tries := 0; tries < 20_000 && !done.Load(); tries++ {
											runtime.Gosched()
										}
									}
								}
							}
							preempt.Hook.Store(&hook)
							ids, err := take(2)
							preempt.Hook.Store(nil)
							require.NoError(t, err)
							next, err := take(2)
							require.NoError(t, err)
							if at == n {
								ids = nil
							}
							for _, id := range append(ids, next...) {
								assert.Equal(t, m.Load(), m.age(g, id), fmt.Sprint(kind, way, given, dealt, at, n))
							}
							time.Sleep(time.Second)
							steps++
						})
					}
				}
			}
		}
	}
	assert.Greater(t, steps, 200)
}
