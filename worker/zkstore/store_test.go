package zkstore

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

// Each fault lets a multi that writes a row reach the server, and cuts the
// connection before the answer.
func TestLinearizableOverCutConnections(t *testing.T) {
	server := testserver.ZooKeeper(t, testserver.Durable())
	proxy := testserver.NewProxy(t, server.Addr())
	s := New(open(t, proxy.Addr()), Options{})
	storetest.Linearizable(t, s, func() { proxy.CutReplyTo(`{"nonce":"`) }, storetest.WithoutClock())
	assert.NotZero(t, proxy.Cuts())
}
