package integration

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/store"
)

// started is what a process meets that takes a worker id of the tests' pool, and stops.
func started(t *testing.T, e env) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := leasetest.Claim()
	l, err := worker.Leased(e.again().Store, c).Assign(ctx, leasetest.Need)
	if err == nil {
		err = l.Release(ctx, math.MinInt64)
	}
	return err
}

// A row that another version wrote is named, and stops those who start, until an operator has it
// deleted. Who holds another row continues.
func TestRowsThatCannotBeRead(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		leasetest.Make(t, e.Store)
		c := leasetest.Claim()
		c.TTL, c.Logger = 3*time.Second, slog.New(slog.NewTextHandler(t.Output(), nil))
		l, err := worker.Leased(e.again().Store, c).Assign(t.Context(), leasetest.Need)
		require.NoError(t, err)
		other := (l.WorkerID() + 1) % 4
		v := leasetest.View(t, e.Store)
		v.Rows = v.Rows[other:]
		w := leasetest.Acquisition(v)
		e.exec(fmt.Sprintf("UPDATE uid_lease SET window_ms = 30000 WHERE worker_id = %d", other))
		applied, err := e.Store.Write(t.Context(), w)
		require.NoError(t, err)
		assert.False(t, applied, "its window is another")
		_, before := l.Grant()
		leasetest.Until(t, "the lease is renewed", func() error {
			_, hi := l.Grant()
			l.Want(hi + 1)
			if hi < before+200 {
				return assert.AnError
			}
			return nil
		})
		require.NoError(t, l.Release(t.Context(), before+1))

		err = started(t, e)
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "of layout 40/10/0@10ms")
		assert.ErrorContains(t, err, "quarantine --store URL --unreadable")
		_, err = worker.Quarantine(t.Context(), e.Store, worker.QuarantineOptions{})
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "of layout 40/10/0@10ms")
		assert.Len(t, leasetest.View(t, e.Store).Rows, 3, "nothing was deleted")
		q, err := worker.Quarantine(t.Context(), e.Store, worker.QuarantineOptions{Unreadable: true})
		require.NoError(t, err)
		assert.ErrorIs(t, q.Unreadable, worker.ErrStore)
		require.NoError(t, started(t, e))
	})
}

// Tables of an older version are refused, and what the error says helps.
func TestTablesOfAnotherVersion(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		leasetest.Make(t, e.Store)
		e.exec("ALTER TABLE uid_lease_head DROP COLUMN slack_ms")
		err := started(t, e)
		require.ErrorIs(t, err, worker.ErrStore)
		require.ErrorContains(t, err, "stop all processes and drop both")
		e.exec("DROP TABLE uid_lease", "DROP TABLE uid_lease_head")
		require.NoError(t, started(t, e))
	})
}

func TestClock(t *testing.T) {
	forEachServer(t, func(t *testing.T, e env) {
		servertest.TestClock(t, e.server, func() store.Store { return e.again().Store })
	}, testserver.Durable())
}
