package integration

import (
	"context"
	"testing"

	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// What an operator can do to a PostgreSQL that waits for its standbys.

// Somebody cancels statements that wait for a standby which is away. PostgreSQL then
// acknowledges what only it has, and nobody can tell: that is for the floor to mend.
func TestPostgresWaitsThatAreCancelled(t *testing.T) {
	t.Parallel()
	withAndWithoutFloor(t, func(t *testing.T) (couple, failover.Pair) {
		c := streaming(t, "-c", "synchronous_standby_names=standby")
		c.class(t, store.Fenced)
		pair := c.pair(t, c.inStepPostgres)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		pair.Hold = func() {
			c.inStepPostgres(t)
			c.link.Hang()
			go func() {
				defer close(done)
				for ctx.Err() == nil {
					_, _ = c.primary.db.ExecContext(ctx, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
				}
			}()
		}
		pair.Promote = func() {
			cancel()
			<-done
			c.primary.server.Kill()
			c.link.Drop()
			c.replica.exec("SELECT pg_promote()")
		}
		return c, pair
	})
}
