// Package cancelable ends a call with its context even if the client that makes it does not
// support contexts, or checks them only between two attempts.
package cancelable

import (
	"context"
	"errors"
	"fmt"
)

var errEnded = errors.New("the store's client ended the goroutine (runtime.Goexit)")

// Call returns what call returns, or the cause of ctx's end when that comes first. The
// call then continues in the background, and what it does to a server is not known. It is
// not started if ctx has already ended.
func Call[T any](ctx context.Context, call func() (T, error)) (none T, err error) {
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	answers := make(chan func() (T, error), 1) // buffered, so that a late answer blocks nothing
	go func() {
		value, err := none, errEnded
		defer func() { // the goroutine is ours, so a panic would end the process
			if v := recover(); v != nil {
				err = fmt.Errorf("the store's client panicked: %v", v)
			}
			answers <- func() (T, error) { return value, err }
		}()
		value, err = call()
	}()
	select {
	case answer := <-answers:
		return answer()
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}
