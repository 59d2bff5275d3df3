package cancelable

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What becomes of calls that were begun is tested with the stores, on servers that hang.
func TestNotBegunAfterTheEnd(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	_, err := Call(ctx, func() (int, error) {
		assert.Fail(t, "begun")
		return 0, nil
	})
	assert.ErrorIs(t, err, stop)
}

func TestAClientThatPanics(t *testing.T) {
	_, err := Call(t.Context(), func() (int, error) { panic("a hook") })
	assert.ErrorContains(t, err, "panicked: a hook")
	_, err = Call(t.Context(), func() (int, error) { runtime.Goexit(); return 0, nil })
	assert.ErrorIs(t, err, errEnded)
}
