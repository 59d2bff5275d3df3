package integration

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// A write waits for whoever is raising the floor, and then obeys it, whatever the
// session's isolation level.
func TestLeaseWriteSeesAFloorThatIsBeingLifted(t *testing.T) {
	waiting := map[string]string{
		"mysql": "SELECT COUNT(*) FROM /*!80000 performance_schema.data_lock_waits */ /*M!100000 " +
			"information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' */",
		"pgx": "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
	}
	levels := map[string][]string{
		"mysql": {"?%s='READ-COMMITTED'", "?%s='REPEATABLE-READ'", "?%s='SERIALIZABLE'"},
		"pgx":   {"&%s=read%%20committed", "&%s=serializable"},
	}
	forEachServer(t, durable, func(t *testing.T, e env) {
		l := e.leased()
		for _, level := range levels[e.driver] {
			t.Run(level, func(t *testing.T) {
				session := open(t, e.driver, e.dsn+fmt.Sprintf(level, e.isolation()), e.server).Store
				_, w := row(t, l)
				tx, err := e.db.Begin()
				require.NoError(t, err)
				_, err = tx.Exec("UPDATE uid_lease_head SET floor_tick = floor_tick + 1")
				require.NoError(t, err)
				done := make(chan error, 1)
				go func() {
					applied, err := session.Write(context.Background(), w)
					if applied {
						err = errors.New("applied under a floor that it had not seen")
					}
					done <- err
				}()
				// MariaDB's list is as old as the last look when that was just now.
				require.Eventually(t, func() bool {
					var n int
					return e.db.QueryRow(waiting[e.driver]).Scan(&n) == nil && n > 0
				}, time.Minute, 200*time.Millisecond, "the write does not wait for the floor")
				require.NoError(t, tx.Commit())
				require.NoError(t, <-done)
			})
		}
	})
}

// isolation is what the server calls the isolation level of a session. MySQL has dropped
// the name that MariaDB had alone before 11.1.
func (e env) isolation() (name string) {
	if e.driver == "pgx" {
		return "default_transaction_isolation"
	}
	require.NoError(e.t, e.db.QueryRow(
		"SHOW VARIABLES WHERE Variable_name IN ('tx_isolation', 'transaction_isolation')").Scan(&name,
		new(string)))
	return name
}

// A server that gives up waiting for a lock has written nothing, and says so.
func TestLeaseWriteThatMayNotWait(t *testing.T) {
	hasty := map[string]string{"mysql": "?innodb_lock_wait_timeout=1", "pgx": "&lock_timeout=50"}
	forEachServer(t, among, func(t *testing.T, e env) {
		l := e.leased()
		_, w := row(t, l)
		tx, err := e.db.Begin()
		require.NoError(t, err)
		defer tx.Rollback()
		_, err = tx.Exec("UPDATE uid_lease SET owner = 'x'")
		require.NoError(t, err)
		applied, err := open(t, e.driver, e.dsn+hasty[e.driver], e.server).Store.Write(t.Context(), w)
		require.NoError(t, err)
		assert.False(t, applied)
	})
}

// A claim that creates nothing makes no tables either.
func TestExistingOnlyMakesNoTables(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		cancel, end := leasetest.AllHeld(t, e.Store, worker.Claim{ExistingOnly: true})
		cancel()
		err := (<-end).Failed
		require.ErrorIs(t, err, context.Canceled)
		assert.ErrorContains(t, err, "create them with `ringuid worker init --store URL --layout LAYOUT`")
		e.exec("CREATE TABLE uid_lease (n INT)", "CREATE TABLE uid_lease_head (n INT)")
	})
}
