package k8sstore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// etcd goes back under the API server, which is restarted, as etcd's instructions say. What other
// backups of etcd do to rows is in etcdstore's tests.
func TestRestored(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	in := c.space("shop")
	token := in.pod("a")
	play := leasetest.Rewind{Keep: leasetest.Backup(c),
		Open: func() store.Store { return in.as(token) }}
	assert.Zero(t, play.Play(t))
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
