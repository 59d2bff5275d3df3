// Package cancelable ends a call with its context even if the client that makes it does not
// know contexts, or checks them only between two attempts.
package cancelable

import "context"

// Call returns what call returns, or the cause of ctx's end when that comes first. The
// call then continues in the background, and what it does to a server is not known. It is
// not started if ctx has already ended.
func Call[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	done := make(chan answer, 1) // with room, so that nobody has to wait for a late one
	go func() {
		value, err := call()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}
