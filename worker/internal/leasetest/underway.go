package leasetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// UnderWay makes a call to a server that is paused, which will find it when it wakes
// up. What it returns waits for the answer.
func UnderWay[T any](t *testing.T, call func() (T, error)) (answer func() (T, error)) {
	t.Helper()
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = call()
	}()
	select {
	case <-done:
		require.FailNow(t, "a paused server answered", "%v", err)
	case <-time.After(50 * time.Millisecond):
	}
	return func() (T, error) { <-done; return value, err }
}
