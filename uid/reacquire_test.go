package uid

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusals is an assigner that gives one lease, and then answers with why, and the
// time of the attempt.
type refusals struct {
	first *testLease

	mu       sync.Mutex
	why      string
	attempts int
}

func (r *refusals) Assign(context.Context, worker.Need) (worker.Lease, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.attempts++; r.attempts == 1 {
		return r.first, nil
	}
	return nil, fmt.Errorf("%s, attempt %d", r.why, r.attempts)
}

func (r *refusals) because(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.why = why
}

// That there is no other worker id is told once, and once more when the reason is
// another one: not the first reason for ever, and not a line for each attempt.
func TestAMissingWorkerIdIsToldAgainWhenTheReasonChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var reasons []string
		c := testConfig()
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if err, ok := a.Value.Any().(error); ok && !errors.Is(err, worker.ErrFenced) {
					mu.Lock()
					defer mu.Unlock()
					reasons = append(reasons, err.Error())
				}
				return a
			},
		}))
		r := &refusals{first: granted(0, 10), why: "the store does not answer"}
		g, err := NewCached(t.Context(), r, c)
		require.NoError(t, err)
		defer g.Close()
		r.first.set(func() { r.first.err = worker.ErrFenced })
		time.Sleep(time.Minute)
		r.because("all are held")
		time.Sleep(time.Minute)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		require.Len(t, reasons, 2, "%q", reasons)
		assert.Contains(t, reasons[0], "the store does not answer")
		assert.Contains(t, reasons[1], "all are held")
		assert.Greater(t, r.attempts, 20)
	})
}
