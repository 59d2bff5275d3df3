package integration

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// swap does what a pooler does that gives the session to another client between two messages: after
// a statement that has these words was prepared, another client prepares its own.
type swap struct{ words, by string }

func (s swap) TracePrepareStart(ctx context.Context, _ *pgx.Conn,
	d pgx.TracePrepareStartData) context.Context {
	return context.WithValue(ctx, s, d.SQL)
}

func (s swap) TracePrepareEnd(ctx context.Context, c *pgx.Conn, _ pgx.TracePrepareEndData) {
	if sql, _ := ctx.Value(s).(string); strings.Contains(sql, s.words) {
		_, _ = c.PgConn().Prepare(ctx, "", s.by, nil)
	}
}

func (swap) TraceQueryStart(ctx context.Context, _ *pgx.Conn,
	_ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (swap) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Then that client's statement is executed, and its answer must not count.
func TestAnswersToAnotherStatement(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	e.exec(`CREATE FUNCTION gone(a BIGINT, b TEXT) RETURNS TEXT LANGUAGE plpgsql AS
'BEGIN PERFORM 1 FROM nowhere; RETURN b; END'`)
	_, err := e.Register(t.Context(), node("a"), needOfTests.MaxID)
	require.NoError(t, err)
	w := leasetest.Acquisition(leasetest.View(t, e.leased()))
	w.Expect = []store.Nonce{{1}} // it changes nothing
	view := func(st sqlstore.Store) error {
		_, err := st.View(t.Context(), pool, 0, 3)
		return err
	}
	where := func(columns, types string) string {
		for i, typ := range strings.Fields(types) {
			columns += fmt.Sprintf(" AND $%d::%s IS NOT NULL", i+1, typ)
		}
		return "SELECT " + strings.Replace(columns, " AND", " WHERE", 1)
	}
	for another, call := range map[swap]func(sqlstore.Store) error{
		{"FROM (SELECT 1) o", where("1::BIGINT", "BIGINT TEXT")}: func(st sqlstore.Store) error {
			_, err := st.Now(t.Context())
			return err
		},
		{"UPDATE uid_lease w", where("1", "TEXT BYTEA BOOL BIGINT BOOL BIGINT BIGINT TEXT BIGINT BYTEA "+
			"BYTEA BIGINT BIGINT BOOL TEXT BIGINT BOOL BIGINT BIGINT BIGINT TEXT",
		)}: func(st sqlstore.Store) error {
			applied, err := st.Write(t.Context(), w)
			require.False(t, applied)
			return err
		},
		{"DELETE FROM uid_lease ", where("1", "TEXT BIGINT TEXT")}: func(st sqlstore.Store) error {
			return st.Delete(t.Context(), "another")
		},
		{"DELETE FROM uid_lease_head", where("1, 2", "TEXT BIGINT TEXT")}: func(st sqlstore.Store) error {
			_, err := st.Forget(t.Context())
			return err
		},
		{"INSERT INTO WORKER_NODE", where("7::BIGINT",
			"TEXT TEXT INT DATE BIGINT TEXT")}: func(st sqlstore.Store) error {
			_, err := st.Register(t.Context(), node("b"), needOfTests.MaxID)
			return err
		},
		{"is_called", "SELECT 0::BIGINT"}:                              view,
		{"MAX(ID)", "SELECT gone($1::BIGINT, $2::TEXT), 1::BIGINT, 2"}: view,
	} {
		config, err := pgx.ParseConfig(e.dsn)
		require.NoError(t, err)
		config.DefaultQueryExecMode, config.Tracer = pgx.QueryExecModeDescribeExec, another
		db := stdlib.OpenDB(*config)
		defer db.Close()
		err = call(sqlstore.Postgres(db))
		require.ErrorIs(t, err, worker.ErrStore, another.words)
		require.ErrorContains(t, err, "a pooler between", another.words)
	}
}
