package integration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/DATA-DOG/go-sqlmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
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
	forEachServer(t, func(t *testing.T, e env) {
		l, _ := e.leased()
		for _, level := range levels[e.driver] {
			t.Run(level, func(t *testing.T) {
				session := open(t, e.driver, e.dsn+fmt.Sprintf(level, e.isolation()), e.server).Leases()
				_, w := row(t, l)
				tx, err := e.db.Begin()
				require.NoError(t, err)
				_, err = tx.Exec("UPDATE uid_ns SET floor_tick = floor_tick + 1")
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
	}, testserver.Durable())
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
	forEachServer(t, func(t *testing.T, e env) {
		l, _ := e.leased()
		_, w := row(t, l)
		tx, err := e.db.Begin()
		require.NoError(t, err)
		defer tx.Rollback()
		_, err = tx.Exec("UPDATE uid_worker SET owner = 'x'")
		require.NoError(t, err)
		applied, err := open(t, e.driver, e.dsn+hasty[e.driver], e.server).Leases().Write(t.Context(), w)
		require.NoError(t, err)
		assert.False(t, applied)
	}, testserver.Durable())
}

// So does one that rolls the write back because others write, too.
func TestLeaseWriteInADeadlock(t *testing.T) {
	for _, says := range []string{
		"Error 1213 (40001): Deadlock found when trying to get lock",
		"Error 1020 (HY000): Record has changed since last read in table 'uid_ns'", // MariaDB since 11.6
	} {
		db, mock, err := sqlmock.New()
		require.NoError(t, err)
		defer db.Close()
		mock.ExpectExec("UPDATE uid_worker").WillReturnError(errors.New(says))
		applied, err := sqlstore.MySQL(db).Leases().Write(t.Context(),
			store.Write{Expect: make([]store.Nonce, 1)})
		require.NoError(t, err)
		assert.False(t, applied)
	}
}

// Nothing that may have arrived is sent again.
func TestLeaseWriteIsNotSentTwice(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	lost := errors.New("unexpected EOF")
	mock.ExpectExec("UPDATE uid_worker").WillReturnError(lost)
	_, err = sqlstore.MySQL(db).Leases().Write(t.Context(),
		store.Write{Expect: make([]store.Nonce, 1)})
	require.ErrorIs(t, err, lost)
	assert.NoError(t, mock.ExpectationsWereMet())
}

func TestLeaseWriteWhoseCommitFails(t *testing.T) {
	e := onPostgres(t, testserver.Durable())
	l, _ := e.leased()
	before, w := row(t, l)
	e.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'not today'; END $$`,
		`CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON uid_worker
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
	applied, err := l.Write(t.Context(), w)
	require.ErrorContains(t, err, "not today")
	assert.False(t, applied)
	after, _ := row(t, l)
	assert.Equal(t, before, after)
}

func forEachDialect(t *testing.T, test func(t *testing.T, e env)) {
	t.Parallel()
	for name, on := range dialects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, on(t, testserver.Durable()))
		})
	}
}

func TestLeaseTablesThatVanish(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		_, err := e.Leases().View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, store.ErrNoNamespace)
		assert.ErrorContains(t, err, "`uidbench worker init --assigner leased` or worker.MakeNamespace")

		l, _ := e.leased()
		_, w := row(t, l)
		lease := assign(t, l)
		e.exec("DROP TABLE uid_worker", "DROP TABLE uid_ns")
		require.Eventually(t, func() bool { return lease.Err() != nil }, time.Minute, 5*time.Millisecond)
		assert.ErrorIs(t, lease.Err(), store.ErrNoNamespace)
		lo, hi := lease.Grant()
		assert.LessOrEqual(t, lo, hi, "what was granted may be used up")

		_, err = l.Write(t.Context(), w)
		require.ErrorIs(t, err, store.ErrNoNamespace)
		_, err = l.View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, store.ErrNoNamespace, "nothing made it anew")
	})
}

func TestLeaseRightsThatAreNeeded(t *testing.T) {
	forEachServer(t, func(t *testing.T, e env) {
		e.leased()
		e.inited()
		reader := e.stranger("SELECT")
		_, err := reader.Leases().View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, sqlstore.ErrDenied)
		assert.ErrorContains(t, err, "SELECT and UPDATE on uid_ns")
		assert.NotContains(t, err.Error(), password)

		for _, table := range []string{"uid_ns", "uid_worker"} {
			e.exec("GRANT SELECT, UPDATE ON " + table + " TO u" + e.database())
		}
		lease := assign(t, reader.Leases())
		require.NoError(t, lease.Release(t.Context(), math.MinInt64))

		_, err = reader.at(password, "close-sesame").Leases().View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, sqlstore.ErrDenied)
		assert.NotContains(t, err.Error(), "close-sesame")
	}, testserver.Durable())
}
