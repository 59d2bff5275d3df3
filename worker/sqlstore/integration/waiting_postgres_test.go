package integration

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// forsaken is PostgreSQL whose synchronous standby never comes: every commit waits, unless its
// session does not want it, as those of env. It comes with a good write, whose nonce is also that
// of a creation.
func forsaken(t *testing.T) (env, store.Write) {
	e := durable(t, "PostgreSQL")
	l := e.leased()
	_, w := row(t, l)
	e.inited()
	require.NoError(t, l.Create(t.Context(), pool, []int64{9}, w.Nonce))
	e.exec("CREATE TABLE leases AS TABLE uid_lease", "CREATE TABLE heads AS TABLE uid_lease_head",
		"CREATE TABLE probe (n INT)", "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
		"SELECT pg_reload_conf()")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { // the server hears of it in its own time
		defer close(done)
		for ctx.Err() == nil {
			_, _ = e.db.ExecContext(ctx, "INSERT INTO probe VALUES (1)")
		}
	}()
	e.untilWaiting(t, "INSERT INTO probe%")
	cancel()
	<-done
	return e.at("?", "?synchronous_commit=off&"), w
}

// untilWaiting waits until a statement waits for a standby.
func (e env) untilWaiting(t *testing.T, statement string) {
	t.Helper()
	require.Eventually(t, func() bool {
		n, err := e.number("SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' " +
			"AND query LIKE '" + statement + "'")
		return err == nil && n > 0
	}, time.Minute, 5*time.Millisecond, "%s waits for the standby", statement)
}

type waitingCall func(ctx context.Context) (done bool, err error)

// waitingCalls are those that wait for the standby, by their statement as the server shows it.
// Each reports whether it was done.
func waitingCalls(s sqlstore.Store, w store.Write) map[string]waitingCall {
	head := store.Head{Epoch: w.Epoch, Floor: w.Floor, Slack: leasetest.Claim().Slack}
	return map[string]waitingCall{
		"WITH h AS%": func(ctx context.Context) (bool, error) { return s.Write(ctx, w) },
		"SELECT %, o.server%": func(ctx context.Context) (bool, error) {
			_, err := s.View(ctx, pool, 0, 3)
			return err == nil, err
		},
		"INSERT INTO WORKER_NODE%": func(ctx context.Context) (bool, error) {
			id, err := s.Register(ctx, node("a"), needOfTests.MaxID)
			return id > 0, err
		},
		"INSERT INTO uid_lease%worker_id%": func(ctx context.Context) (bool, error) {
			err := s.Create(ctx, pool, []int64{10}, w.Nonce)
			return err == nil, err
		},
		"UPDATE uid_lease SET%": func(ctx context.Context) (bool, error) {
			err := s.Open(ctx, pool, []int64{9}, w.Nonce, store.Row{High: w.High})
			return err == nil, err
		},
		"INSERT INTO uid_lease_head%": func(ctx context.Context) (bool, error) {
			return s.Raise(ctx, store.Pool{Layout: "new", Unit: time.Second}, store.Head{}, 0, 0)
		},
		"UPDATE uid_lease_head%": func(ctx context.Context) (bool, error) {
			return s.Raise(ctx, pool, head, 0, time.Hour)
		},
		"DELETE FROM uid_lease WHERE%": func(ctx context.Context) (bool, error) {
			err := s.Delete(ctx, pool.Layout)
			return err == nil, err
		},
		"DELETE FROM uid_lease_head%": s.Forget,
	}
}

// outcome of a call that waits for a standby.
type outcome struct {
	done bool
	err  error
}

// gaveUp makes a call on the tables that forsaken made, ends its context as soon as the server
// waits for the standby, and returns what the caller is told then.
func (e env) gaveUp(t *testing.T, statement string, call waitingCall) outcome {
	t.Helper()
	e.exec("DELETE FROM uid_lease", "INSERT INTO uid_lease TABLE leases",
		"DELETE FROM uid_lease_head", "INSERT INTO uid_lease_head TABLE heads")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := make(chan outcome, 1)
	go func() {
		done, err := call(ctx)
		told <- outcome{done, err}
	}()
	e.untilWaiting(t, statement)
	cancel()
	return <-told
}

// A driver that cancels the statement when the context ends gets the answer of a statement that was
// done: PostgreSQL stops waiting for the standby, and warns. It waits also in a session whose
// synchronous_commit is off, as somebody else may have left it behind a pooler.
func TestPostgresAnswersThatComeTooLate(t *testing.T) {
	t.Parallel()
	e, w := forsaken(t)
	config, err := pgx.ParseConfig(e.dsn)
	require.NoError(t, err)
	warned := make(chan string, 100)
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { warned <- n.Message }
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: time.Minute}
	}
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() { db.Close() })
	for statement, call := range waitingCalls(sqlstore.Postgres(db), w) {
		told := e.gaveUp(t, statement, call)
		require.ErrorIs(t, told.err, context.Canceled, statement)
		assert.False(t, told.done, statement)
		assert.Contains(t, <-warned, "canceling wait for synchronous replication", statement)
	}
}
