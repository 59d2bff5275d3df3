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
func streaming(t *testing.T, class worker.Class, args []string,
	promote ...string) leasetest.Rewind {
	primary := alone(t, "PostgreSQL", testserver.Durable(), testserver.Args(args...))
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
	return leasetest.Rewind{
		Open: func() store.Store { return primary.at(primary.server.Addr(), front.Addr()).Store },
		Keep: func() (goBack func()) {
			inStep()
			link.Hang()
			return func() {
				primary.server.Kill()
				link.Drop()
				replica.exec(promote...)
				front.Turn(s.Addr())
			}
		},
		Crash: 2, CutOff: 1,
	}
}

// An asynchronous standby is promoted that never heard of the latest grants.
func TestPostgresFailsOverAndLosesGrants(t *testing.T) {
	t.Parallel()
	play := streaming(t, worker.FencedLossy, nil, "SELECT pg_promote()")
	assert.Zero(t, play.Play(t))
}

// A synchronous standby has all that was acknowledged.
func TestPostgresFailsOverAndKeepsGrants(t *testing.T) {
	t.Parallel()
	play := streaming(t, worker.Fenced, []string{"-c", "synchronous_standby_names=standby"},
		"ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_promote()")
	play.Synchronous = true
	assert.Zero(t, play.Play(t))
}
