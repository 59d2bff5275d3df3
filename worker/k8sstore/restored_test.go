package k8sstore

import (
	"testing"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/store"
)

// etcd goes back under the API server, which is restarted, as etcd's instructions say.
func TestRestored(t *testing.T) {
	t.Parallel()
	servertest.TestRestored(t, false,
		func(t *testing.T) (server leasetest.Server, open func() store.Store) {
			c := newCluster(t)
			in := c.space("shop")
			token := in.pod("a")
			return c, func() store.Store { return in.as(token) }
		})
}

func (c *cluster) Start() {
	c.etcd.Start()
	c.server.Start()
}

func (c *cluster) Stop() {
	c.server.Stop()
	c.etcd.Stop()
}

func (c *cluster) Snapshot() (restore func()) { return c.etcd.Snapshot() }
