// Package goroutine notices when somebody else's code panics on a goroutine, or ends it.
package goroutine

import (
	"context"
	"time"
)

// Keep has spawn call f on a goroutine of its own, as sync.WaitGroup.Go does. If f does not return,
// since code that it calls panics or ends the goroutine (runtime.Goexit, as a failing test does),
// Keep calls ended with what it was, and f again a second later, unless ctx has ended by then.
func Keep(ctx context.Context, spawn func(f func()), f func(), ended func(why any)) {
	var keep func(after time.Duration)
	keep = func(after time.Duration) {
		returned := false
		defer func() {
			why := recover()
			if !returned && ctx.Err() == nil {
				if why == nil {
					why = "runtime.Goexit"
				}
				ended(why)
				spawn(func() { keep(time.Second) })
			}
		}()
		if after > 0 {
			select {
			case <-time.After(after):
			case <-ctx.Done():
			}
		}
		f()
		returned = true
	}
	spawn(func() { keep(0) })
}
