package uid

import (
	"context"
	"log/slog"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
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

// The worker id is fenced, and the log handler does what it should not: no id is
// handed out after the fence, another worker id serves, and Close returns.
func TestALogHandlerHoldsNothingUp(t *testing.T) {
	free := make(chan struct{})
	for name, hook := range map[string]func(g generator){
		"blocks":             func(generator) { <-free },
		"panics":             func(generator) { panic("in the handler") },
		"ends the goroutine": func(generator) { runtime.Goexit() },
		"takes an id":        func(g generator) { _, _ = g.GetUID() },
		"waits for an id":    func(g generator) { _, _ = g.GetUIDContext(context.Background()) },
		"looks":              func(g generator) { g.Stats() },
		"closes": func(g generator) {
			if g != nil {
				_ = g.Close()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
				free = make(chan struct{})
				first, second := granted(0, math.MaxInt32), granted(0, math.MaxInt32)
				first.id, second.id = 9, 2
				leases := &succession{leases: []*testLease{first}}
				var g atomic.Pointer[generator]
				var said atomic.Int64
				c := testConfig()
				c.Layout.TimeBits = 24 // less than a year is left: a line at the start
				c.Logger = slog.New(foreignHandler{func(string) {
					said.Add(1)
					if p := g.Load(); p != nil {
						hook(*p)
					} else if name == "blocks" || name == "panics" {
						hook(nil)
					}
				}})
				made, err := open(leases, c)
				require.NoError(t, err)
				synctest.Wait()
				require.EqualValues(t, 1, said.Load())
				before := take(t, made, 3)
				g.Store(&made)

				first.lose(worker.ErrFenced)
				synctest.Wait()
				if id, err := made.GetUID(); err == nil {
					p, err := made.ParseUID(id)
					require.NoError(t, err)
					t.Errorf("an id of worker %d after the fence", p.Worker)
				}
				leases.add(second)
				time.Sleep(time.Minute)
				if name != "closes" {
					after := take(t, made, 20)
					assert.Greater(t, after[0], before[2])
					p, err := made.ParseUID(after[0])
					require.NoError(t, err)
					assert.EqualValues(t, 2, p.Worker)
				}
				start := time.Now()
				require.NoError(t, made.Close())
				assert.LessOrEqual(t, time.Since(start), time.Second)
				close(free)
			})
		})
	}
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
