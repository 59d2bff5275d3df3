package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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

// Two primaries: a is promoted while the old one still serves its clients. It goes on
// if a standby of it is left that is enough for it, or if somebody tells it to wait for none.
func TestPostgresWithTwoPrimaries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		names   string
		emptied bool // by hand, on the old one
		goesOn  bool
	}{
		"any one, and b still follows":   {"ANY 1 (a, b)", false, true},
		"both are awaited":               {"ANY 2 (a, b)", false, false},
		"both, but the wait is ended":    {"ANY 2 (a, b)", true, true},
		"the first, and b still follows": {"FIRST 1 (a, b)", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := standbys(t, c.names)
			old, promoted := s.primary, s.replica
			h := failover.Start(t, old.again().Leases(), 1, 2*time.Second)
			first := h.JoinAs(1, old.again().Leases())
			s.inStep(t)
			s.link.Drop()
			promoted.exec(promoteAlone...)
			if c.emptied {
				old.exec("ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()")
			}
			heir := h.JoinAs(1, promoted.again().Leases())
			later := h.View(promoted.again().Leases()).Floor + 100
			heir.Reaches(later)
			if c.goesOn {
				first.Reaches(later)
				assert.NotEmpty(t, h.Duplicates(), "two primaries that both acknowledge")
				return
			}
			old.untilWaiting(t, "%FROM uid_ns%") // whatever it asks
			assert.Empty(t, h.Duplicates())
		})
	}
}
