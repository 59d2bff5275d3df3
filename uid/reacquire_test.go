package uid

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusals is an assigner that gives one lease, and then answers with a reason, another one
// after a minute, and the number of the attempt.
type refusals struct {
	first    *testLease
	attempts int
}

func (r *refusals) Assign(context.Context, worker.Need) (worker.Lease, error) {
	if r.attempts++; r.attempts == 1 {
		return r.first, nil
	}
	why := "the store does not answer"
	if time.Since(bubbleStart) > time.Minute {
		why = "all are held"
	}
	return nil, fmt.Errorf("%s, attempt %d", why, r.attempts)
}

// That there is no other worker id is told once, and once more when the reason is
// another one: not the first reason for ever, and not a line for each attempt.
func TestAMissingWorkerIdIsToldAgainWhenTheReasonChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		log := logTo(&c)
		r := &refusals{first: granted(0, 10)}
		g, err := NewCached(t.Context(), r, c)
		require.NoError(t, err)
		defer g.Close()
		r.first.set(func() { r.first.err = worker.ErrFenced })
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		assert.Equal(t, 1, strings.Count(log.String(), "the store does not answer"), log)
		assert.Equal(t, 1, strings.Count(log.String(), "all are held"), log)
		assert.Greater(t, r.attempts, 20)
	})
}
