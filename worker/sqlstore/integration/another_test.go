package integration

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Where a driver prepares a statement in one message and executes it in another, a pooler may give
// the session to another client in between. Then that client's statement is executed, if it has as
// many arguments, and its answer must not count.
func TestAnswersToAnotherStatement(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	w := leasetest.Acquisition(leasetest.View(t, e.leased()))
	w.Expect = []store.Nonce{{1}} // it changes nothing
	far := e.behind(t, "transaction", "pool_size=1\nignore_startup_parameters=extra_float_digits")
	for driver, dsn := range map[string]string{
		"postgres": far.dsn, "pgx": far.dsn + "&default_query_exec_mode=describe_exec",
	} {
		st, err := sqlstore.Open(driver, dsn)
		require.NoError(t, err)
		defer st.Close()
		ctx, end := context.WithCancel(t.Context())
		defer end()
		var others sync.WaitGroup
		for n, first := range map[int]any{2: int64(1), 21: "of an application"} { // as Now has, and Write
			db, err := sql.Open(driver, dsn)
			require.NoError(t, err)
			defer db.Close()
			types := map[bool]string{true: "BIGINT", false: "TEXT"}
			query, args := "SELECT 1::BIGINT WHERE $1::"+types[n == 2]+" IS NOT NULL", []any{first}
			for i := range n - 1 {
				query += fmt.Sprintf(" AND $%d::TEXT <> ''", i+2)
				args = append(args, "of an application")
			}
			others.Go(func() {
				for ctx.Err() == nil {
					_, _ = db.ExecContext(ctx, query, args...)
				}
			})
		}
		for begin := time.Now(); time.Since(begin) < 2*time.Second; {
			applied, _ := st.Write(t.Context(), w)
			require.False(t, applied, driver)
			if now, err := st.Now(t.Context()); err == nil {
				require.WithinDuration(t, time.Now(), now, time.Minute, driver)
			}
		}
		end()
		others.Wait()
	}
}
