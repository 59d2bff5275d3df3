package cancelable

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAnswer(t *testing.T) {
	refused := errors.New("refused")
	v, err := Call(t.Context(), func() (int, error) { return 7, refused })
	assert.Equal(t, 7, v)
	assert.ErrorIs(t, err, refused)
}

func TestContextEndsFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun, finish, finished := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		<-begun
		cancel()
	}()
	v, err := Call(ctx, func() (int, error) {
		defer close(finished)
		close(begun)
		<-finish
		return 7, nil
	})
	assert.Zero(t, v)
	assert.ErrorIs(t, err, context.Canceled)
	close(finish)
	<-finished // though nobody waits for it
}

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
