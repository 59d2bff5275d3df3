package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// streaming is PostgreSQL with a standby in step.
func streaming(t *testing.T, args ...string) couple {
	return coupled(onPostgres(t, testserver.Durable(), testserver.Args(args...)),
		func(link *testserver.Proxy) env {
			return standby(t, link, "standby")
		})
}

// standby follows whoever is behind a link, under a name.
func standby(t *testing.T, link *testserver.Proxy, name string) env {
	s := testserver.PostgresStandby(t, link.Addr(), name, testserver.Durable(),
		testserver.Args("-c", "wal_retrieve_retry_interval=100"))
	return open(t, "pgx", s.DSN(), s)
}

// inStepPostgres waits until the standby has all that the primary has.
func (c couple) inStepPostgres(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		behind, err := c.primary.number(
			"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::BIGINT FROM pg_stat_replication " +
				"WHERE application_name = 'standby'")
		return err == nil && behind == 0
	}, time.Minute, 5*time.Millisecond, "the standby is in step")
}

// An asynchronous standby is promoted that never heard of the latest grants.
func TestPostgresFailsOverAndLosesGrants(t *testing.T) {
	t.Parallel()
	withAndWithoutFloor(t, func(t *testing.T) (couple, leasetest.Pair) {
		c := streaming(t)
		c.inStepPostgres(t)
		c.class(t, store.FencedLossy)
		return c, c.pair(t, c.inStepPostgres, "SELECT pg_promote()")
	})
}

// A synchronous standby has all that was acknowledged.
func TestPostgresFailsOverAndKeepsGrants(t *testing.T) {
	t.Parallel()
	c := streaming(t, "-c", "synchronous_standby_names=standby")
	c.inStepPostgres(t)
	c.class(t, store.Fenced)
	pair := c.pair(t, c.inStepPostgres,
		"ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_promote()")
	pair.Forge = c.forge
	assert.Empty(t, leasetest.Lossless(t, pair))
}
