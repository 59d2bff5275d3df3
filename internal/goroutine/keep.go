// Package goroutine notices when somebody else's code ends a goroutine.
package goroutine

import (
	"context"
	"time"
)

// Keep has spawn call f on a goroutine of its own, as sync.WaitGroup.Go does. If f does not return,
// since code that it calls ends the goroutine (runtime.Goexit, as a failing test does), Keep calls
// ended, and f again a second later, unless ctx has ended by then.
func Keep(ctx context.Context, spawn func(f func()), f, ended func()) {
	var keep func(after time.Duration)
	keep = func(after time.Duration) {
		returned := false
		defer func() {
			if !returned && ctx.Err() == nil {
				ended()
				spawn(func() { keep(time.Second) })
			}
		}()
		select {
		case <-time.After(after):
		case <-ctx.Done():
		}
		f()
		returned = true
	}
	spawn(func() { keep(0) })
}
