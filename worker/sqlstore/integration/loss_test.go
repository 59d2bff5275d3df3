package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

func TestServerThatIsDown(t *testing.T) {
	forEachServer(t, func(t *testing.T, e env) {
		e.inited()
		assert.Equal(t, int64(1), e.must("a"))
		e.server.Stop()
		e = e.again() // a connection of before would say that it was ended
		_, err := e.Register(t.Context(), node("b"), needOfTests)
		require.Error(t, err)
		assert.ErrorContains(t, err, e.server.Addr())
		assert.ErrorContains(t, err, "no server answers")

		e.server.Start()
		assert.Equal(t, int64(2), e.must("c"))
	})
}

func TestCountingGoesOnAfterAKill(t *testing.T) {
	forEachServer(t, func(t *testing.T, e env) {
		e.inited()
		var last int64
		for range 5 {
			last = e.must("before")
		}
		e.server.Kill()
		e.server.Start()
		e = e.again()
		assert.Greater(t, e.must("after"), last)
		assert.Len(t, e.keysOf("before"), 5, "no acknowledged row is lost")
	}, testserver.Durable())
}

// The row is there, its key is spent, and nobody else gets it.
func testAnswerLost(t *testing.T, e env) {
	e.inited()
	proxy := testserver.NewProxy(t, e.server.Addr())
	far := e.at(e.server.Addr(), proxy.Addr())
	assert.Equal(t, int64(1), far.must("fine"))

	proxy.CutReplyTo("unlucky")
	id, err := far.Register(t.Context(), node("unlucky"), needOfTests)
	require.Error(t, err)
	assert.Zero(t, id)
	assert.ErrorContains(t, err, "trying again is safe")
	assert.Equal(t, 1, proxy.Cuts())

	assert.Equal(t, int64(3), far.must("again"))
	assert.Equal(t, []int64{2}, e.keysOf("unlucky"))
}

func testContextEnded(t *testing.T, e env) {
	e.inited()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.Register(ctx, node("a"), needOfTests)
	require.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "the context ended")
	assert.Equal(t, int64(1), e.must("b"), "it was not sent")
}

func testContextEnds(t *testing.T, e env) {
	e.inited()
	proxy := testserver.NewProxy(t, e.server.Addr())
	far := e.at(e.server.Addr(), proxy.Addr())
	assert.Equal(t, int64(1), far.must("fine"))
	proxy.Hang()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	id, err := far.Register(ctx, node("late"), needOfTests)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Zero(t, id)

	proxy.Pass()
	assert.Greater(t, far.must("next"), int64(1))
}

// lock holds the file until it is called.
func (e env) lock() (unlock func()) {
	c, err := e.again().db.Conn(e.t.Context())
	require.NoError(e.t, err)
	run := func(statement string) {
		_, err := c.ExecContext(e.t.Context(), statement)
		require.NoError(e.t, err)
	}
	run("BEGIN EXCLUSIVE")
	return func() {
		run("COMMIT")
		c.Close()
	}
}

func TestContextThatEndsWhileTheFileIsLocked(t *testing.T) {
	e := onSQLite(t).inited()
	unlock := e.lock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := e.Register(ctx, node("waits"), needOfTests)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	unlock()
	assert.Equal(t, int64(1), e.must("next"))
}

func TestRegisterWaitsForALockedFile(t *testing.T) {
	e := onSQLite(t).inited()
	unlock := e.lock()
	ids := make(chan int64)
	go func() {
		id, _ := e.Register(t.Context(), node("waits"), needOfTests)
		ids <- id
	}()
	select {
	case id := <-ids:
		t.Errorf("registered as %d in spite of the lock", id)
	case <-time.After(200 * time.Millisecond): // longer than SQLite itself waits
		unlock()
		assert.Equal(t, int64(1), <-ids)
	}
}

// The row that RETURNING gives is no promise: the commit comes after it.
func TestCommitThatFails(t *testing.T) {
	for dialect, statements := range failingCommit {
		t.Run(dialect, func(t *testing.T) {
			e := dialects[dialect](t)
			e.db.SetMaxOpenConns(1) // a pragma is its connection's
			e.exec(statements...)
			id, err := e.Register(t.Context(), node("a"), needOfTests)
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
		`PRAGMA foreign_keys = ON`,
		`CREATE TABLE TYPES (TYPE INT PRIMARY KEY)`,
		`CREATE TABLE WORKER_NODE (ID INTEGER PRIMARY KEY AUTOINCREMENT, HOST_NAME TEXT, PORT TEXT,
TYPE INT REFERENCES TYPES DEFERRABLE INITIALLY DEFERRED,
LAUNCH_DATE DATE, MODIFIED TIMESTAMP, CREATED TIMESTAMP)`,
	},
}
