package texttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// UnderWay makes a call to a server that is paused, and returns a function that waits for
// the answer, which comes when the server is resumed.
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
