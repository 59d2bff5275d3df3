package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	_, s := durable(t)
	storetest.Run(t, func(*testing.T) worker.Store { return s }, storetest.WithoutClock())
}

// Each fault lets a transaction that puts a row reach the server, and cuts the
// connection before anything comes back: HTTP/2 acknowledges a request, too.
func TestLinearizableOverCutConnections(t *testing.T) {
	server := testserver.Etcd(t, testserver.Durable())
	proxy := testserver.NewProxy(t, server.Addr())
	s := New(open(t, proxy.Addr()), Options{})
	storetest.Linearizable(t, s, func() { proxy.CutReplyTo(`{"nonce":"`) }, storetest.WithoutClock())
	assert.NotZero(t, proxy.Cuts())
}
