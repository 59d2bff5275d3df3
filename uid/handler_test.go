package uid

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// foreignHandler is a log handler of a user who does not think of the generator,
// or does.
type foreignHandler struct {
	hook func(message string)
}

func (foreignHandler) Enabled(_ context.Context, l slog.Level) bool { return l > slog.LevelDebug }
func (h foreignHandler) WithAttrs([]slog.Attr) slog.Handler         { return h }
func (h foreignHandler) WithGroup(string) slog.Handler              { return h }

func (h foreignHandler) Handle(_ context.Context, r slog.Record) error {
	h.hook(r.Message)
	return nil
}

// The generator is closed before its handler has heard of it: a Close waits for
// the log, as a program may end right after it.
func TestCloseWaitsUntilTheLogIsWritten(t *testing.T) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said atomic.Int64
				c := testConfig()
				c.Layout.TimeBits = 24
				c.Logger = slog.New(foreignHandler{func(string) {
					time.Sleep(time.Second / 2)
					said.Add(1)
				}})
				g, err := open(t.Context(), granted(0, 100), c)
				require.NoError(t, err)
				assert.Zero(t, said.Load(), "the constructor did not wait")
				require.NoError(t, g.Close())
				assert.EqualValues(t, 1, said.Load(), "less than a year is left")
			})
		})
	}
}

// A RejectPut may look at the generator that asks it, take an id and close it. Close does not
// wait for the goroutine that refills the ring, which is RejectPut's.
func TestARejectPutMayCloseTheGenerator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := make(chan *CachedGenerator, 1)
		c := testConfig()
		c.Layout.SeqBits, c.RingSize = 9, 256 // a tick does not fit
		c.RejectPut = func(int64, time.Time) bool {
			g := <-made
			g.Stats()
			_, err := g.GetUID()
			assert.NoError(t, err)
			assert.NoError(t, g.Close())
			return false
		}
		g, err := newCached(t.Context(), granted(0, 0), c)
		require.NoError(t, err)
		made <- g
		synctest.Wait()
		_, err = g.GetUID()
		assert.ErrorIs(t, err, ErrClosed)
	})
}
