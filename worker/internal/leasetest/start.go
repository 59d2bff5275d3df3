package leasetest

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// lines is a log handler that passes on the lines at which somebody has to look.
type lines struct {
	slog.Handler
	warned chan string
}

func (l lines) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l lines) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
	if r.Level >= slog.LevelWarn {
		select {
		case l.warned <- text:
		default:
		}
	}
	return nil
}

// Started is the outcome of a start.
type Started struct {
	worker.Lease
	Failed error
}

// Waiting begins a start, and returns when that has said why it waits.
func Waiting(ctx context.Context, t *testing.T, s store.Store, c worker.Claim) (why string,
	end <-chan Started) {
	t.Helper()
	l := lines{slog.NewTextHandler(t.Output(), nil), make(chan string, 1)}
	c.Logger = slog.New(l)
	ended := make(chan Started, 1)
	go func() {
		lease, err := worker.Leased(s, c).Assign(ctx, Need)
		ended <- Started{lease, err}
	}()
	select {
	case why = <-l.warned:
	case e := <-ended:
		require.Fail(t, "it did not wait", "%v", e.Failed)
	}
	return why, ended
}

// AllHeld begins a start that says that all worker ids are held. On a busy machine it may first say
// that a call took too long; then another one is begun.
func AllHeld(t *testing.T, s store.Store, c worker.Claim) (cancel func(), end <-chan Started) {
	t.Helper()
	for {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		why, end := Waiting(ctx, t, s, c)
		if strings.Contains(why, worker.ErrAllHeld.Error()) {
			return cancel, end
		}
		require.Contains(t, why, "Claim.Timeout")
		cancel()
		require.Error(t, (<-end).Failed)
	}
}

// TestFailsAtOnce: a start that would only meet the error again does not try again.
func TestFailsAtOnce(t *testing.T, s store.Store, is error, says string) {
	t.Helper()
	_, err := worker.Leased(s, Claim()).Assign(t.Context(), Need)
	require.ErrorIs(t, err, is)
	assert.ErrorContains(t, err, says)
	assert.NotContains(t, err.Error(), "gave up")
}
