package policy

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWait(t *testing.T) {
	reason := errors.New("empty")
	refilled := make(chan struct{})
	close(refilled)
	assert.NoError(t, Wait(t.Context(), Reject{Reason: reason, Refilled: refilled}))

	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	err := Wait(ctx, Reject{Reason: reason, Refilled: make(chan struct{})})
	assert.ErrorIs(t, err, reason, "what it waited for")
	assert.ErrorIs(t, err, why, "and why it stopped")
}
