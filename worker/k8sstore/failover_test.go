package k8sstore

import (
	"context"
	"slices"
	"testing"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// TestNoIDComesTwiceWhoeverLeads: leaders of etcd are killed, paused and cut off, behind
// two API servers, while ids are taken as fast as they come.
func TestNoIDComesTwiceWhoeverLeads(t *testing.T) {
	t.Parallel()
	etcd := testserver.EtcdCluster(t, 3)
	cl := &cluster{t: t, server: testserver.Kubernetes(t, etcd.Addrs())}
	in := cl.space("shop")
	token := in.pod("a")
	var second *testserver.Server
	failover.TestCluster(t, etcd, func(addrs ...string) store.Store {
		if slices.Equal(addrs, etcd.Addrs()) {
			return asking{in.as(token)}
		}
		if second == nil { // on its own ways to etcd
			second = testserver.Kubernetes(t, addrs)
		}
		return asking{in.through(second.Addr(), testserver.KubernetesAdmin)}
	})
}

// asking is a store that shows what the server has, and never what it wrote last itself:
// what was acknowledged to anybody is in each view.
type asking struct{ *Store }

func (a asking) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	a.memory.show(place{namespace, first}) // the next one asks
	return a.Store.View(ctx, namespace, first, last)
}
