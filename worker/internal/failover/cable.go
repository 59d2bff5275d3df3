package failover

import (
	"context"
	"sync/atomic"

	"github.com/ringuid/ringuid/worker/store"
)

// cable is a member's way to its store, which can be cut.
type cable struct {
	store.Store
	broken   atomic.Bool
	failures atomic.Int64 // calls that got no answer
}

func (c *cable) cut()  { c.broken.Store(true) }
func (c *cable) mend() { c.broken.Store(false) }

func (c *cable) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	if c.broken.Load() {
		return store.View{}, errCut
	}
	v, err := c.Store.View(ctx, namespace, first, last)
	c.count(err)
	return v, err
}

func (c *cable) Write(ctx context.Context, w store.Write) (bool, error) {
	if c.broken.Load() {
		return false, errCut
	}
	applied, err := c.Store.Write(ctx, w)
	c.count(err)
	return applied, err
}

func (c *cable) Raise(ctx context.Context, r store.Raise) (bool, error) {
	if c.broken.Load() {
		return false, errCut
	}
	return c.Store.Raise(ctx, r)
}

func (c *cable) count(err error) {
	if err != nil {
		c.failures.Add(1)
	}
}
