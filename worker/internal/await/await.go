// Package await lets a call end with its context although the client that makes
// it knows no contexts, or heeds them only between two attempts.
package await

import "context"

// Call returns what call returns, or the cause of ctx's end when that comes
// first. The call then goes on by itself, and what it does to a server is not
// known. It is not begun when ctx has ended already.
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
