package etcdstore

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// Three members become a new cluster, made of a snapshot.
func TestRestoredSnapshot(t *testing.T) {
	t.Parallel()
	c := testserver.EtcdCluster(t, 3)
	restorable := func(t *testing.T, args ...string) failover.Restorable {
		prefix := rand.Text()
		return failover.Restorable{
			Open: func() store.Store { return New(ways(t, c.Addrs()...).client, Options{Prefix: prefix}) },
			Backup: func() (restore func()) {
				put := c.Backup()
				return func() { put(args...) }
			},
		}
	}
	for name, args := range map[string][]string{
		"its revision is lower":  nil,
		"its revision is bumped": {"--bump-revision=1000000", "--mark-compacted"},
	} {
		t.Run(name, func(t *testing.T) {
			if args != nil && !testserver.CanBumpRevision() {
				t.Skip("this etcd restores nothing with a higher revision")
			}
			t.Run("under holders", func(t *testing.T) {
				assert.Empty(t, failover.RestoredUnderHolders(t, restorable(t, args...)))
			})
			t.Run("while nobody looked", func(t *testing.T) {
				assert.NotEmpty(t, failover.RestoredWhileNobodyLooked(t, restorable(t, args...), false), "or nothing is tested here")
				assert.Empty(t, failover.RestoredWhileNobodyLooked(t, restorable(t, args...), true))
			})
		})
	}
}
