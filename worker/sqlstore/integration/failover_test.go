package integration

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
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
	c := couple{primary: primary, front: testserver.NewProxy(t, primary.server.Addr()), link: testserver.NewProxy(t, primary.server.Addr())}
	c.replica = follow(c.link)
	return c
}

// pair describes the couple to package failover.
func (c couple) pair(t *testing.T, inStep func(*testing.T), promote ...string) failover.Pair {
	return failover.Pair{
		Open:    c.open,
		Replica: c.replica.Leases(),
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
	return c.primary.at(c.primary.server.Addr(), c.front.Addr()).Leases()
}

// forge writes the epoch of the new server by hand, so that nobody raises the floor.
func (c couple) forge(server string) {
	c.replica.exec("UPDATE uid_ns SET epoch = '" + server + "'")
}

// class is what the primary says that its leases are worth.
func (c couple) class(t *testing.T, want store.Class) {
	t.Helper()
	class, err := c.primary.again().Leases().Check(context.Background())
	checks(t, class, err, want)
}

// number is what a query for one number answers.
func (e env) number(query string) (n int64, err error) {
	err = e.db.QueryRowContext(e.t.Context(), query).Scan(&n)
	return n, err
}

// failovers is how often those are repeated that are measured: once, or UID_FAILOVERS.
func failovers(t *testing.T) int {
	t.Helper()
	text := os.Getenv("UID_FAILOVERS")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "UID_FAILOVERS")
	return n
}

// keepsGrants fails over, as often as failovers says, from primaries that are killed,
// paused, or cut off from their replica and from whoever looks for them. Pauses and cuts
// end when the replica is the primary.
func keepsGrants(t *testing.T, inStep func(couple, *testing.T), promote []string, set func(t *testing.T) couple) {
	for name, fail := range map[string]func(c couple){
		"killed":  func(c couple) { c.primary.server.Kill() },
		"paused":  func(c couple) { c.primary.server.Pause() },
		"cut off": func(couple) {}, // it serves, and its replica does not hear of it
	} {
		for round := range failovers(t) {
			t.Run(fmt.Sprint(name, " ", round+1), func(t *testing.T) {
				c := set(t)
				c.class(t, store.Fenced)
				pair := c.pair(t, func(t *testing.T) { inStep(c, t) })
				pair.Promote = func() {
					fail(c)
					c.link.Drop()
					c.replica.exec(promote...)
				}
				pair.Turn = func() {
					c.front.Turn(c.replica.server.Addr())
					c.primary.server.Resume()
					c.link.Pass()
				}
				pair.Forge = c.forge
				assert.Empty(t, failover.Lossless(t, pair))
			})
		}
	}
}

// goesOnAlone fails over from a primary whose replica it waits for hears of nothing any more.
func goesOnAlone(t *testing.T, c couple, inStep func(couple, *testing.T), promote []string) {
	t.Helper()
	c.class(t, store.FencedLossy)
	pair := c.pair(t, func(t *testing.T) { inStep(c, t) }, promote...)
	pair.Hold = func() {
		inStep(c, t)
		c.link.Drop()
	}
	assert.Empty(t, failover.Lossy(t, pair))
}

// failsBack hands the role over and takes it back: the second primary is lost with all that
// it granted, and the first, which was not restarted, knows nothing of it. demote has a
// server follow an address.
func failsBack(t *testing.T, c couple, inStep func(couple, *testing.T), promote []string, demote func(e env, addr string)) {
	t.Helper()
	first, second := c.primary, c.replica
	back := testserver.NewProxy(t, second.server.Addr())
	back.Drop()
	pair := c.pair(t, func(t *testing.T) { inStep(c, t) })
	pair.Replica = first.Leases()
	pair.Hold = func() {
		c.front.Drop()
		inStep(c, t)
		second.exec(promote...)
		demote(first, back.Addr())
		c.front.Turn(second.server.Addr())
		c.front.Pass()
	}
	pair.Promote = func() {
		second.server.Kill()
		first.exec(promote...)
	}
	pair.Turn = func() { c.front.Turn(first.server.Addr()) }
	assert.Empty(t, failover.Lossy(t, pair))
}

// withAndWithoutFloor runs a fail-over that loses grants, once as it is and once with a floor
// that does not rise: then the test must find duplicates, or it would prove nothing.
func withAndWithoutFloor(t *testing.T, set func(t *testing.T) (couple, failover.Pair)) {
	t.Run("the floor rises", func(t *testing.T) {
		_, pair := set(t)
		assert.Empty(t, failover.Lossy(t, pair))
	})
	t.Run("the floor does not rise", func(t *testing.T) {
		c, pair := set(t)
		pair.Forge = c.forge
		assert.NotEmpty(t, failover.Lossy(t, pair), "without duplicates the test proves nothing")
	})
}
