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
		func(t *testing.T) (texttest.Restorable, func() store.Store) {
			s := testserver.Etcd(t, testserver.Durable())
			return s, func() store.Store { return ways(t, s.Addr()) }
		}, false)
}
