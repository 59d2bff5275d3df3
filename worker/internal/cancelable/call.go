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
	value, answers := none, make(chan error, 1) // buffered, so that a late answer blocks nothing
	go Survive(func() (err error) {
		value, err = call()
		return err
	}, func(err error) { answers <- err })
	select {
	case err := <-answers:
		return value, err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

// Survive passes the error of call to then, also if call panics or ends the goroutine. That is
// ours, so a panic would end the process.
func Survive(call func() error, then func(error)) {
	err := errEnded
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the store's client panicked: %v", v)
		}
		then(err)
	}()
	err = call()
}
