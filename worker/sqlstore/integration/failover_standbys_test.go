package integration

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// trio is PostgreSQL with the standbys a, which is promoted, and b.
type trio struct {
	couple // the replica is a
	b      env
	linkB  *testserver.Proxy
}

func standbys(t *testing.T, names string) trio {
	primary := onPostgres(t, testserver.Durable())
	primary.exec("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'")
	primary.server.Stop() // a start takes it over for certain, not some time later
	primary.server.Start()
	c := trio{couple: coupled(primary.again(), func(link *testserver.Proxy) env { return standby(t, link, "a") })}
	c.linkB = testserver.NewProxy(t, c.primary.server.Addr())
	c.b = standby(t, c.linkB, "b")
	c.inStep(t)
	return c
}

func (c trio) inStep(t *testing.T) {
	t.Helper()
	c.primary.followed(t, "a", "b")
}

// followed waits until these standbys have all that the server has.
func (e env) followed(t *testing.T, names ...string) {
	t.Helper()
	require.Eventually(t, func() bool {
		behind, err := e.number("SELECT MAX(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::BIGINT FROM pg_stat_replication HAVING COUNT(*) = " +
			"COUNT(*) FILTER (WHERE application_name IN ('" + strings.Join(names, "', '") + "')) AND COUNT(*) = " + strconv.Itoa(len(names)))
		return err == nil && behind == 0
	}, time.Minute, 5*time.Millisecond, "%v are in step", names)
}

// reaches waits until a standby has all that the server has now, and so whatever any other
// was ever sent: one that has more than who is promoted cannot follow it.
func (e env) reaches(t *testing.T, name string) {
	t.Helper()
	has, err := e.number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::BIGINT")
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		received, err := e.number("SELECT pg_wal_lsn_diff(flush_lsn, '0/0')::BIGINT FROM pg_stat_replication WHERE application_name = '" + name + "'")
		return err == nil && received >= has
	}, time.Minute, 5*time.Millisecond, "%s has what the server had", name)
}

// promoteAlone makes a standby a primary that waits for none.
var promoteAlone = []string{"ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()", "SELECT pg_promote()"}

// An end is what becomes of a primary.
type end string

const (
	killed end = "killed"
	paused end = "paused" // as by SIGSTOP, and it wakes up when another is the primary
	cutOff end = "cut off"
)

// fails is a fail-over to a. The old primary, if it lives, comes back when its clients
// have found the new one: then nothing that it is asked may be answered.
func (c trio) fails(t *testing.T, how end, hold func()) failover.Pair {
	pair := c.pair(t, c.inStep)
	pair.Forge = c.forge
	pair.Hold = hold
	pair.Promote = func() {
		switch how {
		case killed:
			c.primary.server.Kill()
		case paused:
			c.primary.server.Pause()
		case cutOff:
			c.front.Hang()
		}
		c.link.Drop()
		c.linkB.Drop()
		c.replica.exec(promoteAlone...)
	}
	pair.Turn = func() {
		c.front.Turn(c.replica.server.Addr())
		c.front.Pass()
		c.primary.server.Resume()
		if how != killed {
			c.primary.saysNothing(t)
		}
	}
	return pair
}

// saysNothing: an old primary without its standbys neither acknowledges nor shows anything.
func (e env) saysNothing(t *testing.T) {
	told := e.gaveUp(t, theView, func(ctx context.Context) (bool, error) {
		_, err := e.again().Leases().View(ctx, failover.Namespace, 1, 3)
		return true, err
	})
	assert.ErrorIs(t, told.err, context.Canceled)
}

// Whoever is promoted keeps the grants if it has them: no floor is needed.
func TestPostgresPromotesAStandbyThatHasAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names string
		how   end
		class store.Class
	}{
		{"ANY 1 (a, b)", killed, store.FencedLossy},
		{"ANY 1 (a, b)", cutOff, store.FencedLossy},
		{"FIRST 1 (a, b)", paused, store.FencedLossy},
		{"ANY 2 (a, b)", killed, store.Fenced},
		{"ANY 2 (a, b)", paused, store.Fenced},
		{"ANY 2 (a, b)", cutOff, store.Fenced},
	} {
		for range failovers(t) {
			t.Run(c.names+" "+string(c.how), func(t *testing.T) {
				t.Parallel()
				s := standbys(t, c.names)
				s.class(t, c.class)
				pair := s.fails(t, c.how, func() {
					s.inStep(t)
					s.linkB.Hang() // from now on it lacks what is acknowledged
					s.primary.reaches(t, "a")
					s.link.Hang()
				})
				assert.Empty(t, failover.Lossless(t, pair))
				s.rejoins(t)
			})
		}
	}
}

// rejoins makes the old primary, and b, standbys of the new one.
func (c trio) rejoins(t *testing.T) {
	c.linkB.Turn(c.replica.server.Addr())
	c.linkB.Pass()
	c.primary.server.Kill()
	c.replica.exec("CHECKPOINT") // or pg_rewind does not see yet that it was promoted
	c.primary.server.RewindPostgres(c.replica.server.Addr(), "p")
	c.primary.server.Start()
	c.replica.followed(t, "p", "b")
	c.replica.exec("ALTER SYSTEM SET synchronous_standby_names = 'ANY 2 (p, b)'", "SELECT pg_reload_conf()")
	require.Eventually(t, func() bool {
		class, err := c.replica.again().Leases().Check(t.Context())
		return err == nil && class == store.Fenced
	}, time.Minute, 5*time.Millisecond, "the new primary waits for both")
	_, err := c.primary.again().Leases().Check(t.Context())
	require.ErrorContains(t, err, "connect to the primary")
}

// The other one of two lacks what the first has acknowledged. The class says so, and the
// floor is needed.
func TestPostgresPromotesAStandbyThatLacksGrants(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names string
		how   end
	}{
		{"ANY 1 (a, b)", killed},
		{"ANY 1 (a, b)", paused},
		{"FIRST 1 (b, a)", cutOff},
	} {
		for range failovers(t) {
			t.Run(c.names+" "+string(c.how), func(t *testing.T) {
				t.Parallel()
				withAndWithoutFloor(t, func(t *testing.T) (couple, failover.Pair) {
					s := standbys(t, c.names)
					s.class(t, store.FencedLossy)
					pair := s.fails(t, c.how, func() {
						s.inStep(t)
						s.link.Hang()
					})
					pair.Forge = nil
					return s.couple, pair
				})
			})
		}
	}
}
