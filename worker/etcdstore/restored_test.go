package etcdstore

import (
	"testing"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/texttest"
	"github.com/ringuid/ringuid/worker/store"
)

// A backup is restored, whose revisions come again.
func TestRestored(t *testing.T) {
	t.Parallel()
	texttest.TestRestored(t,
		func(t *testing.T) *testserver.Server { return testserver.Etcd(t, testserver.Durable()) },
		func(t *testing.T, s *testserver.Server) store.Store { return ways(t, s.Addr()) },
		false)
}
