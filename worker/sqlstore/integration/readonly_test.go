package integration

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// Who may write to a server that is read-only, as root may, writes nothing there, and believes no
// view of it: another is the primary.
func TestAReadOnlyServerGrantsNothingToWhoMayWrite(t *testing.T) {
	forEachServer(t, durable, func(t *testing.T, e env) {
		if e.driver == "pgx" {
			t.Skip("nobody may write to a standby of PostgreSQL")
		}
		e.inited().leased()
		ctx := t.Context()
		_, w := row(t, e.Store)
		v, err := e.View(ctx, pool, 0, 9)
		require.NoError(t, err)
		e.exec("SET GLOBAL read_only = ON")
		errs := map[string]error{
			"create": e.Create(ctx, pool, []int64{9}, leasetest.Nonce()),
			"delete": e.Delete(ctx, ""),
			"tables": e.CreateTable(ctx),
		}
		_, errs["view"] = e.View(ctx, pool, 2, 2)
		_, errs["clock"] = e.Now(ctx)
		_, errs["forget"] = e.Forget(ctx)
		_, errs["register"] = e.Register(ctx, node("a"), 9)
		_, errs["raise"] = e.Raise(ctx, pool, v.Head, 9, v.Slack)
		// MySQL is another incarnation since it was made read-only: the epoch is not its.
		if applied, err := e.Write(ctx, w); err != nil || applied {
			errs["write"] = err
		}
		for name, err := range errs {
			assert.ErrorContains(t, err, "read-only, and nothing was written: connect to the primary", name)
		}
		e.exec("SET GLOBAL read_only = OFF")
		after, err := e.View(ctx, pool, 0, 9)
		require.NoError(t, err)
		v.Now, v.Server = after.Now, after.Server
		assert.Equal(t, v, after)

		e.exec("SET GLOBAL read_only = ON")
		why, started := leasetest.Waiting(ctx, t, e.again().Store, leasetest.Claim())
		assert.Contains(t, why, "read-only", "it may be the primary again")
		e.exec("SET GLOBAL read_only = OFF")
		begun := <-started
		require.NoError(t, begun.Failed)
		assert.NoError(t, begun.Release(ctx, math.MinInt64))
	})
}
