package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// streaming is a PostgreSQL and its standby, which is in step and is told to promote itself by
// these statements. Clients find whoever is the primary through a proxy, the standby hears the
// primary through another one. class is what the primary's leases are worth.
func streaming(t *testing.T, class worker.Class, args []string, promote ...string) leasetest.Pair {
	primary := onPostgres(t, testserver.Durable(), testserver.Args(args...))
	front := testserver.NewProxy(t, primary.server.Addr())
	link := testserver.NewProxy(t, primary.server.Addr())
	s := testserver.PostgresStandby(t, link.Addr(), "standby", testserver.Durable(),
		testserver.Args("-c", "wal_retrieve_retry_interval=100"))
	replica := open(t, "pgx", s.DSN(), s)
	inStep := func() {
		require.Eventually(t, func() bool {
			behind, err := primary.number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), " +
				"replay_lsn)::BIGINT FROM pg_stat_replication WHERE application_name = 'standby'")
			return err == nil && behind == 0
		}, time.Minute, 5*time.Millisecond, "the standby is in step")
	}
	inStep()
	primary.again().check(t, class, "", "")
	return leasetest.Pair{
		Open:    func() store.Store { return primary.at(primary.server.Addr(), front.Addr()).Store },
		Replica: replica.Store,
		Hold: func() {
			inStep()
			link.Hang()
		},
		Promote: func() {
			primary.server.Kill()
			link.Drop()
			replica.exec(promote...)
		},
		Turn: func() { front.Turn(s.Addr()) },
		Forge: func(server string) { // so that nobody raises the floor
			replica.exec("UPDATE uid_lease_head SET epoch = '" + server + "'")
		},
	}
}

// An asynchronous standby is promoted that never heard of the latest grants.
func TestPostgresFailsOverAndLosesGrants(t *testing.T) {
	t.Parallel()
	lossy := func(t *testing.T) leasetest.Pair {
		return streaming(t, worker.FencedLossy, nil, "SELECT pg_promote()")
	}
	t.Run("the floor rises", func(t *testing.T) {
		pair := lossy(t)
		pair.Forge = nil
		assert.Empty(t, leasetest.FailOver(t, pair))
	})
	t.Run("the floor does not rise", func(t *testing.T) {
		assert.NotEmpty(t, leasetest.FailOver(t, lossy(t)), "without duplicates the test proves nothing")
	})
}

// A synchronous standby has all that was acknowledged.
func TestPostgresFailsOverAndKeepsGrants(t *testing.T) {
	t.Parallel()
	pair := streaming(t, worker.Fenced, []string{"-c", "synchronous_standby_names=standby"},
		"ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_promote()")
	pair.Synchronous = true
	assert.Empty(t, leasetest.FailOver(t, pair))
}
