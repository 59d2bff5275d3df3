package policy

import (
	"context"
	"errors"
	"testing"

	"github.com/ringuid/ringuid/internal/policyresult"
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

func TestFailGivesTheReason(t *testing.T) {
	reason := errors.New("empty")
	assert.Equal(t, reason, Fail(t.Context(), Reject{Reason: reason}))
}

func TestPutVerdicts(t *testing.T) {
	assert.Equal(t, policyresult.Keep, Keep(Reject{}))
	assert.Equal(t, policyresult.Discard, Discard(Reject{}))
}
