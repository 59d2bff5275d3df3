package uid

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// keys counts as the table of worker.Disposable does.
type keys struct{ last int64 }

func (*keys) Kept(context.Context) error { return nil }

func (k *keys) Register(context.Context, store.Node, int64) (int64, error) {
	k.last++
	return k.last, nil
}

// A process that was paused, or whose clock was set forward, sees an hour pass at once.
// Nobody waits for a worker id that no store lends: it goes on, with ids of now. When the
// clock is set back again nothing comes twice, and an unfenced one waits.
func TestAWorkerIdWithoutALeaseGoesOnAfterAPause(t *testing.T) {
	for name, a := range map[string]worker.Assigner{"Disposable": worker.Disposable(&keys{}),
		"Static": worker.Static(3)} {
		for kind, open := range constructors {
			t.Run(name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var jump atomic.Int64
					c := unfenced()
					c.Now = func() time.Time { return time.Now().Add(time.Duration(jump.Load())) }
					g, err := open(t.Context(), a, c)
					require.NoError(t, err)
					defer g.Close()
					ids := take(t, g, 20)
					synctest.Wait()
					jump.Store(int64(time.Hour))
					time.Sleep(2 * time.Second) // the padder has looked at the clock
					synctest.Wait()
					ids = append(ids, take(t, g, 5)...)
					for _, s := range seconds(t, ids[20:]) {
						assert.InDelta(t, c.Now().Sub(bubbleStart).Seconds(), float64(s), 2)
					}

					synctest.Wait()
					jump.Store(0)
					for range 200 {
						id, back := g.GetUID()
						if err = back; err != nil {
							break
						}
						ids = append(ids, id)
					}
					switch {
					case kind == "default":
						assert.ErrorIs(t, err, ErrClockBack)
					case name == "Static":
						assert.ErrorIs(t, err, ErrRingEmpty)
					default:
						assert.NoError(t, err, "it may borrow")
						assert.IsIncreasing(t, ids)
					}
					assert.False(t, errors.Is(err, ErrLeaseLost))
					distinct(t, ids)
				})
			})
		}
	}
}
