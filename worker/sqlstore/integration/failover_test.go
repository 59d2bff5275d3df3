package integration

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// couple is a server and its replica. Clients find whoever is the primary through
// front; the replica hears the primary through link.
type couple struct {
	primary, replica env
	front, link      *testserver.Proxy
}

// coupled is the couple of a primary; follow starts the replica of whoever is at an
// address.
func coupled(primary env, follow func(link *testserver.Proxy) env) couple {
	t := primary.t
	c := couple{primary: primary, front: testserver.NewProxy(t, primary.server.Addr()),
		link: testserver.NewProxy(t, primary.server.Addr())}
	c.replica = follow(c.link)
	return c
}

// pair describes the couple to package leasetest.
func (c couple) pair(t *testing.T, inStep func(*testing.T), promote ...string) leasetest.Pair {
	return leasetest.Pair{
		Open:    c.open,
		Replica: c.replica.Store,
		Hold: func() {
			inStep(t)
			c.link.Hang()
		},
		Promote: func() {
			c.primary.server.Kill()
			c.link.Drop()
			c.replica.exec(promote...)
		},
		Turn: func() { c.front.Turn(c.replica.server.Addr()) },
	}
}

func (c couple) open() store.Store {
	return c.primary.at(c.primary.server.Addr(), c.front.Addr()).Store
}

// forge writes the epoch of the new server by hand, so that nobody raises the floor.
func (c couple) forge(server string) {
	c.replica.exec("UPDATE uid_lease_head SET epoch = '" + server + "'")
}

// class is what the primary says that its leases are worth.
func (c couple) class(t *testing.T, want store.Class) {
	t.Helper()
	class, err := c.primary.again().Store.Check(context.Background())
	checks(t, class, err, want)
}

// withAndWithoutFloor runs a fail-over that loses grants, once as it is and once with a floor
// that does not rise: then the test must find duplicates, or it would prove nothing.
func withAndWithoutFloor(t *testing.T, set func(t *testing.T) (couple, leasetest.Pair)) {
	t.Run("the floor rises", func(t *testing.T) {
		_, pair := set(t)
		assert.Empty(t, leasetest.Lossy(t, pair))
	})
	t.Run("the floor does not rise", func(t *testing.T) {
		c, pair := set(t)
		pair.Forge = c.forge
		assert.NotEmpty(t, leasetest.Lossy(t, pair), "without duplicates the test proves nothing")
	})
}
