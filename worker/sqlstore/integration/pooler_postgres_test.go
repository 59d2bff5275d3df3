package integration

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// behind is the way to a PostgreSQL through a pooler with these settings, for a driver
// that prepares statements if this pooler keeps them.
func (e env) behind(t *testing.T, settings ...string) (env, *testserver.Server) {
	pooler := testserver.PgBouncer(t, e.server.Addr(), testserver.Args(settings...))
	return e.at(e.server.Addr(), pooler.Addr()).fit(), pooler
}

func (e env) fit() env {
	if testserver.PgBouncerPrepares() {
		return e
	}
	return e.sending("exec")
}

// sending is the same database for a driver that sends statements in this way.
func (e env) sending(mode string) env { return e.at("?", "?default_query_exec_mode="+mode+"&") }

func TestLeasesBehindAPooler(t *testing.T) {
	t.Parallel()
	direct := onPostgres(t, testserver.Durable())
	direct.leased()
	e, pooler := direct.behind(t, "pool_mode = transaction")
	var newest env
	open := func(t *testing.T) store.Store {
		newest = e.fresh(t)
		return newest.Leases()
	}
	storetest.Run(t, open,
		storetest.WithHands(func(t *testing.T, s store.Store) storetest.Hands { return newest.hands(s.(*sqlstore.Leases)) }),
		storetest.WithRestart(func(t *testing.T) {
			pooler.Kill() // or it would hear of its connections' end in its own time
			anotherIncarnation(t, direct, direct)
			pooler.Start()
			drain(t, newest.db)
			drain(t, e.db)
		}))
}

// busy has another client of the pooler hold the connection that the last one used, so that
// the next statement gets another.
func (e env) busy(t *testing.T) (idle func()) {
	tx, err := e.again().db.Begin()
	require.NoError(t, err)
	_, err = tx.Exec("SELECT 1")
	require.NoError(t, err)
	return func() { _ = tx.Rollback() }
}

// Each way in which pgx sends statements, and what each kind of pool makes of it.
func TestDriversBehindAPooler(t *testing.T) {
	t.Parallel()
	direct := onPostgres(t, testserver.Durable())
	const transaction, statement = "pool_mode = transaction", "pool_mode = statement"
	keeping, keepingNone := transaction+"\nmax_prepared_statements = 100", transaction+"\nmax_prepared_statements = 0"
	if !testserver.PgBouncerPrepares() {
		keeping, keepingNone = "", transaction
	}
	for _, c := range []struct {
		pool, mode string
		want       string // in the error; empty: all is well
	}{
		{"pool_mode = session", "cache_statement", ""},
		{keeping, "cache_statement", ""},
		{keepingNone, "cache_statement", "max_prepared_statements"},
		{keepingNone, "cache_describe", ""},
		{keepingNone, "exec", ""},
		{keepingNone, "simple_protocol", ""},
		{statement, "exec", ""},
	} {
		if c.pool == "" {
			continue // this pooler keeps none
		}
		t.Run(c.pool+" "+c.mode, func(t *testing.T) {
			fresh := direct.fresh(t)
			fresh.leased()
			fresh.inited()
			pooler := testserver.PgBouncer(t, direct.server.Addr(), testserver.Args(c.pool))
			e := fresh.at(direct.server.Addr(), pooler.Addr()).sending(c.mode)
			var errs []error
			for i := range 3 {
				if i > 0 && c.pool != statement {
					defer e.busy(t)()
				}
				_, err := e.Leases().View(t.Context(), "default", 0, 3)
				errs = append(errs, err)
				_, err = e.Register(t.Context(), node("a"), needOfTests)
				errs = append(errs, err)
			}
			err := errors.Join(errs...)
			if c.want != "" {
				require.ErrorContains(t, err, c.want)
				assert.NotContains(t, err.Error(), "is not known", "it was not executed")
				return
			}
			require.NoError(t, err)
			lease := assign(t, e.Leases())
			require.NoError(t, lease.Release(t.Context(), math.MinInt64))
		})
	}
}

// A pool of single statements serves leases; only Init needs more.
func TestInitBehindAPoolOfStatements(t *testing.T) {
	t.Parallel()
	direct := onPostgres(t, testserver.Durable())
	e, _ := direct.behind(t, "pool_mode = statement")
	ns, err := worker.NewNamespace("default", need, 0, 3, time.Second)
	require.NoError(t, err)
	err = e.Leases().Init(t.Context(), ns, store.InitOptions{Fresh: true})
	require.ErrorContains(t, err, "pool_mode = statement")
	require.ErrorContains(t, err, "past it")
	direct.leased()
	assign(t, e.Leases())
}

func TestSettingThatAPoolerDoesNotKnow(t *testing.T) {
	t.Parallel()
	direct := onPostgres(t, testserver.Durable())
	direct.leased()
	e, _ := direct.behind(t, "pool_mode = transaction")
	_, err := e.at("?", "?lock_timeout=1000&").Leases().View(t.Context(), "default", 0, 3)
	require.ErrorContains(t, err, "ALTER ROLE")
}

// What another client of the pool leaves set in a session does not reach a write.
func TestSettingsThatAPoolerPassesOn(t *testing.T) {
	t.Parallel()
	direct, w := forsaken(t)
	e, _ := direct.behind(t, "pool_mode = transaction", "default_pool_size = 1")
	e.exec("SET synchronous_commit = off", "SET statement_timeout = '10s'")
	var left string
	require.NoError(t, e.again().db.QueryRow("SHOW synchronous_commit").Scan(&left))
	require.Equal(t, "off", left, "the trap is there")
	told := direct.gaveUp(t, theWrite, func(ctx context.Context) (bool, error) { return e.again().Leases().Write(ctx, w) })
	assert.Error(t, told.err)
	assert.False(t, told.done)
}

// The pooler itself finds the server that was promoted. Its clients stay connected to it.
func TestPoolerThatFailsOver(t *testing.T) {
	t.Parallel()
	c := streaming(t)
	c.inStepPostgres(t)
	pooler := testserver.PgBouncer(t, c.front.Addr(), testserver.Args("pool_mode = transaction"))
	pair := c.pair(t, c.inStepPostgres, "SELECT pg_promote()")
	pair.Open = func() store.Store { return c.primary.at(c.primary.server.Addr(), pooler.Addr()).fit().Leases() }
	assert.Empty(t, failover.Lossy(t, pair))
}
