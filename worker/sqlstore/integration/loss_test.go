package integration

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// The key counter outlives a restart although the newest rows were deleted, and a kill.
func TestCountingGoesOnAfterARestart(t *testing.T) {
	forEachServer(t, durable, func(t *testing.T, e env) {
		e.inited().must("a")
		last := e.must("b")
		e.exec(`DELETE FROM WORKER_NODE`)
		for _, ends := range []func(){e.server.Stop, e.server.Kill} {
			ends()
			e.server.Start()
			e = e.again()
			next := e.must("after")
			assert.Greater(t, next, last)
			last = next
		}
		rows, err := e.Nodes(t.Context(), 0)
		require.NoError(t, err)
		assert.Len(t, rows, 2, "no acknowledged row is lost")
	})
}

// A crash empties an unlogged table and, from PostgreSQL 15 on, sets its counter back: what the
// error says to type has no key come again.
func TestAnUnloggedTableAfterACrash(t *testing.T) {
	e := alone(t, "PostgreSQL", testserver.Durable()).inited()
	e.exec("ALTER TABLE WORKER_NODE SET UNLOGGED")
	e.must("a")
	last := e.must("b")
	e.server.Kill()
	e.server.Start()
	e = e.again()
	err := e.Kept(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	_, do, _ := strings.Cut(err.Error(), ": type ")
	do, also, _ := strings.Cut(do, ", for WORKER_NODE also ")
	also, _, _ = strings.Cut(also, " N, above all keys")
	e.exec(do, fmt.Sprint(also, " ", last+1))
	require.NoError(t, e.Kept(t.Context()))
	assert.Equal(t, last+1, e.must("c"))
}

// The row is there, its key is spent, and nobody else gets it.
func testAnswerLost(t *testing.T, e env) {
	e.inited()
	proxy := testserver.NewProxy(t, e.server.Addr())
	far := e.at(e.server.Addr(), proxy.Addr())
	assert.Equal(t, int64(1), far.must("fine"))

	proxy.CutReplyTo("unlucky")
	id, err := far.Register(t.Context(), node("unlucky"), needOfTests.MaxID)
	require.Error(t, err)
	assert.Zero(t, id)
	assert.ErrorContains(t, err, "trying again is safe")
	assert.Equal(t, 1, proxy.Cuts())

	assert.Equal(t, int64(3), far.must("again"))
	rows, err := e.Nodes(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, "unlucky", rows[1].HostName)
	assert.Equal(t, int64(2), rows[1].ID)
}

func testContextEnded(t *testing.T, e env) {
	e.inited()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.Register(ctx, node("a"), needOfTests.MaxID)
	require.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "nothing was sent")
	assert.Equal(t, int64(1), e.must("b"), "it was not sent")
}

// The row that RETURNING gives, or the row that was updated, is no promise: the commit comes
// after it.
func TestCommitThatFails(t *testing.T) {
	for dialect, statements := range failingCommit {
		t.Run(dialect, func(t *testing.T) {
			e := among(t, dialect)
			if e.driver == "sqlite" {
				e = e.at("?", "?_pragma=foreign_keys(1)&")
			}
			e.exec(statements...)
			before, w := row(t, e.leased())
			e.exec(failingUpdate[dialect]...)
			applied, err := e.Write(t.Context(), w)
			require.Error(t, err)
			assert.False(t, applied)
			after, _ := row(t, e.Store)
			assert.Equal(t, before, after)

			require.NoError(t, e.Delete(t.Context(), "")) // or keys would wait for its worker ids
			id, err := e.Register(t.Context(), node("a"), needOfTests.MaxID)
			require.Error(t, err)
			assert.Zero(t, id)

			var rows int
			require.NoError(t, e.db.QueryRow(`SELECT COUNT(*) FROM WORKER_NODE`).Scan(&rows))
			assert.Zero(t, rows)
		})
	}
}

// failingCommit makes a table into which an INSERT goes, but not its commit.
var failingCommit = map[string][]string{
	"PostgreSQL": {
		sqlstore.Postgres(nil).Schema(),
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'not today'; END $$`,
		`CREATE CONSTRAINT TRIGGER late AFTER INSERT ON WORKER_NODE
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
	},
	"SQLite": {
		`CREATE TABLE TYPES (TYPE INT PRIMARY KEY)`,
		`CREATE TABLE WORKER_NODE (ID INTEGER PRIMARY KEY AUTOINCREMENT, HOST_NAME TEXT, PORT TEXT,
TYPE INT REFERENCES TYPES DEFERRABLE INITIALLY DEFERRED,
LAUNCH_DATE DATE, MODIFIED TIMESTAMP, CREATED TIMESTAMP)`,
	},
}

// failingUpdate does the same to the rows of leases.
var failingUpdate = map[string][]string{
	"PostgreSQL": {`CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON uid_lease
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`},
	"SQLite": {
		`CREATE TABLE late (type INT REFERENCES TYPES (TYPE) DEFERRABLE INITIALLY DEFERRED)`,
		`CREATE TRIGGER late AFTER UPDATE ON uid_lease BEGIN INSERT INTO late VALUES (1); END`,
	},
}
