package k8sstore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// etcd goes back under the API server, which is restarted, as etcd's instructions say. What other
// backups of etcd do to rows is in etcdstore's tests. Other tests use the cluster later.
func TestRestored(t *testing.T) {
	c := on(t)
	in := c.space("shop")
	token := in.pod("a")
	keep := leasetest.Backup(c.etcd)
	play := leasetest.Rewind{Open: func() store.Store { return in.as(token) }, Keep: func() func() {
		restore := keep()
		return func() {
			c.server.Stop()
			restore()
			c.server.Start()
		}
	}}
	assert.Zero(t, play.Play(t))
}
