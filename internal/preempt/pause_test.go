package preempt

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

// This file is put into the packages under test as package preempt, see overlay. It knows no
// clock, so that a bubble of testing/synctest runs with it, too.

// operations is how many there were, of all goroutines.
var operations atomic.Int64

// Hook, if there is one, is called in place of a pause.
var Hook atomic.Pointer[func()]

// After is put around an atomic operation that has a result.
func After[T any](result T) T { Here(); return result }

// Here is put after any other: now and then others go first, and at times they do many
// operations of theirs.
func Here() {
	if hook := Hook.Load(); hook != nil {
		(*hook)()
		return
	}
	switch n, x := operations.Add(1), rand.Uint32(); {
	case x%32 == 0:
		runtime.Gosched()
	case x%1024 == 1:
		until := n + int64(x>>10%500)
		for tries := 0; operations.Load() < until && tries < 500; tries++ {
			runtime.Gosched()
		}
	}
}
