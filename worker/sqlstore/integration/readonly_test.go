package integration

import (
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
		v, err := e.View(ctx, pool, 2, 2)
		require.NoError(t, err)
		state := func() int64 {
			is, err := e.number(`SELECT CRC32(CONCAT((SELECT COUNT(*) FROM WORKER_NODE),
    (SELECT GROUP_CONCAT(worker_id, HEX(nonce)) FROM uid_lease),
    (SELECT GROUP_CONCAT(epoch, floor_tick) FROM uid_lease_head)))`)
			require.NoError(t, err)
			return is
		}
		before := state()
		e.exec("SET GLOBAL read_only = ON")
		errs := map[string]error{
			"create": e.Create(ctx, pool, []int64{9}, leasetest.Nonce()),
			"delete": e.Delete(ctx, ""),
			"tables": e.CreateTable(ctx),
		}
		_, errs["view"] = e.View(ctx, pool, 2, 2)
		_, errs["views"] = e.View(ctx, pool, 0, 9)
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
		assert.Equal(t, before, state())
		e.exec("SET GLOBAL read_only = OFF")
		_, err = e.View(ctx, pool, 2, 2)
		require.NoError(t, err)
	})
}
