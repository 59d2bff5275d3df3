package integration

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/store"
)

// started is what a process meets that takes a worker id of the tests' pool, and stops.
func started(t *testing.T, e env) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := leasetest.Claim()
	l, err := worker.Leased(e.again().Store, c).Assign(ctx, leasetest.Need)
	if err == nil {
		err = l.Release(ctx, math.MinInt64)
	}
	return err
}

// A row that another version wrote is named, stops those who start, and is not written.
func TestRowsThatCannotBeRead(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		leasetest.Make(t, e.Store)
		w := leasetest.Acquisition(leasetest.View(t, e.Store))
		e.exec("UPDATE uid_lease SET window_ms = 30000 WHERE worker_id = 0")
		applied, err := e.Store.Write(t.Context(), w)
		require.NoError(t, err)
		assert.False(t, applied, "its window is another")
		err = started(t, e)
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "of layout 40/10/0@10ms")
		assert.ErrorContains(t, err, "quarantine --store URL --unreadable")
	})
}

// Tables of an older version are refused, and what the error says helps.
func TestTablesOfAnotherVersion(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		leasetest.Make(t, e.Store)
		e.exec("ALTER TABLE uid_lease_head DROP COLUMN slack_ms")
		err := started(t, e)
		require.ErrorIs(t, err, worker.ErrStore)
		require.ErrorContains(t, err, "stop all processes and drop both")
		e.exec("DROP TABLE uid_lease", "DROP TABLE uid_lease_head")
		require.NoError(t, started(t, e))
	})
}

// Tables that somebody made otherwise are refused: with a default that a new row gets, by which it
// can be taken at once; with columns for which MySQL cuts a tick; with columns that hold no tick;
// and as a copy without its keys, where each start makes rows of its own.
func TestTablesMadeOtherwise(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		refused := func(says string) {
			t.Helper()
			err := started(t, e)
			require.ErrorIs(t, err, worker.ErrStore)
			require.ErrorContains(t, err, says)
			require.ErrorContains(t, err, "drop both")
		}
		leasetest.Make(t, e.Store)
		e.exec("UPDATE uid_lease_head SET floor_tick = 2147483647")
		refused("floor_tick 2147483647")
		e.exec("DELETE FROM uid_lease_head", "UPDATE uid_lease SET high_tick = 4294967295")
		refused("has high_tick 4294967295")
		e.exec("UPDATE uid_lease SET high_tick = 0")
		refused("has high_tick 0")
		if how := map[string]string{"mysql": "MODIFY %s %s", "pgx": "ALTER %s TYPE %s"}; e.server != nil {
			alter := "ALTER TABLE uid_lease " + how[e.driver]
			e.exec(fmt.Sprintf(alter, "expires_ms", "DECIMAL(30,3)"),
				"UPDATE uid_lease SET expires_ms = 1")
			refused("sql: Scan error")
			e.exec("DELETE FROM uid_lease", fmt.Sprintf(alter, "high_tick", "INT"))
			refused("other columns than expected")
		}
		e.exec("DROP TABLE uid_lease", "DROP TABLE uid_lease_head")
		leasetest.Make(t, e.Store)
		e.exec("CREATE TABLE copied AS SELECT * FROM uid_lease", "DROP TABLE uid_lease",
			"ALTER TABLE copied RENAME TO uid_lease", "INSERT INTO uid_lease SELECT * FROM uid_lease")
		refused("has no primary key")
		e.exec("DROP TABLE uid_lease", "DROP TABLE uid_lease_head")
		require.NoError(t, started(t, e))
	})
}

func TestClock(t *testing.T) {
	forEachServer(t, durable, func(t *testing.T, e env) {
		servertest.TestClock(t, e.server, func() store.Store { return e.again().Store })
	})
}

// PostgreSQL deletes no row that row level security, or a trigger, keeps, and says that it is done.
func TestRowsThatPostgresKeeps(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string][]string{
		"row level security": {"ALTER TABLE uid_lease ENABLE ROW LEVEL SECURITY",
			"CREATE POLICY a ON uid_lease FOR SELECT USING (true)",
			"CREATE POLICY b ON uid_lease FOR INSERT WITH CHECK (true)",
			"CREATE POLICY c ON uid_lease FOR UPDATE USING (true)"},
		"a trigger": {
			"CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
			"CREATE TRIGGER keep BEFORE DELETE ON uid_lease FOR EACH ROW EXECUTE FUNCTION keep()"},
	} {
		t.Run(name, func(t *testing.T) {
			e := among(t, "PostgreSQL").inited()
			user := e.lessee()
			e.exec(keep...)
			require.NoError(t, started(t, user))
			_, err := worker.Quarantine(t.Context(), user.Store, worker.QuarantineOptions{})
			require.ErrorIs(t, err, worker.ErrStore)
		})
	}
}
