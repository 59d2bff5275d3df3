package k8sstore

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T, space){
		"contract": testContract,
		"cut":      testCutAnswers,
	} {
		t.Run(name, func(t *testing.T) { test(t, on(t).space(name)) })
	}
}

func testContract(t *testing.T, in space) {
	s := in.store("a")
	storetest.Run(t, func(*testing.T) store.Store { return s }, storetest.Options{
		Hands:    in.hands,
		TTL:      200 * time.Millisecond, // or leases end on a busy machine while all are asked for
		ManyRows: 1200,                   // more than a page
	})
	servertest.TestTime(t, s)
}

// hands change Leases as people do with kubectl.
func (s space) hands(t *testing.T, _ store.Store) storetest.Hands {
	return storetest.Hands{
		DeleteRow: func(layout string, worker int64) {
			name := fmt.Sprintf("ringuid-%s-%d", hash(layout), worker)
			err := s.admin(http.MethodDelete, s.leases()+"/"+name, nil, nil)
			if !apierrors.IsNotFound(err) { // one may be deleted before it was created again
				require.NoError(t, err)
			}
		},
		DeleteAll: func() { // kubectl delete leases --all
			require.NoError(t, s.admin(http.MethodDelete, s.leases(), nil, nil))
		},
	}
}

// testCutAnswers: each fault lets a request that writes a row reach the server, and
// loses the answer.
func testCutAnswers(t *testing.T, in space) {
	var cut, cuts atomic.Int64
	s := in.open(disturbed(config(in.server.Addr(), in.pod("cut-1")),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			lose := q.Method == http.MethodPatch && isLease(q) && cut.CompareAndSwap(1, 0)
			answer, err := send(q)
			if lose && err == nil {
				cuts.Add(1)
				answer.Body.Close()
				return nil, errLost
			}
			return answer, err
		}))
	storetest.Linearizable(t, s, func() { cut.Store(1) })
	assert.NotZero(t, cuts.Load())
}

var errLost = errors.New("the answer was lost")

// TestNoIDComesTwiceWhoeverLeads: leaders of etcd are killed, paused and cut off, behind
// two API servers, while ids are taken as fast as they come.
func TestNoIDComesTwiceWhoeverLeads(t *testing.T) {
	t.Parallel()
	etcd := testserver.EtcdCluster(t, 3)
	cl := &cluster{t: t, server: testserver.Kubernetes(t, etcd.Addrs())}
	in := cl.space("shop")
	token := in.pod("a")
	var second *testserver.Server
	servertest.TestCluster(t, etcd, func(addrs ...string) store.Store {
		if slices.Equal(addrs, etcd.Addrs()) {
			return in.as(token)
		}
		if second == nil { // on its own ways to etcd
			second = testserver.Kubernetes(t, addrs)
		}
		return in.through(second.Addr(), testserver.KubernetesAdmin)
	})
}

func TestNoConfiguration(t *testing.T) {
	t.Parallel()
	s, _ := New(nil, Options{})
	_, err := s.Check(t.Context())
	require.ErrorContains(t, err, "the configuration is nil")
}

// No error shows the password of a Host that cannot be read.
func TestAHostThatCannotBeReadIsNotShown(t *testing.T) {
	for _, host := range []string{"https://uid:hunter2@localhost:x", "uid:hunter2@localhost/path"} {
		s, _ := New(&rest.Config{Host: host}, Options{})
		_, err := s.Check(t.Context())
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hunter2")
		require.ErrorContains(t, err, "rest.Config.Host cannot be read")
	}
}

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
