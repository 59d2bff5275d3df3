package integration

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// join adds generators that have connections of their own.
func (e env) join(h *leasetest.Holders, n int) (joined []*leasetest.Holder) {
	for range n {
		joined = append(joined, h.Join(e.again().Store))
	}
	return joined
}

// A backup is restored beside holders that live and one that was killed. The server that
// serves it has started since, so it grants nothing below what may have been lost.
func TestBackupRestoredUnderHolders(t *testing.T) {
	forEachServer(t, func(t *testing.T, e env) {
		h := leasetest.Start(t, e.Store, 8)
		for _, headToo := range []bool{true, false} {
			holders := e.join(h, 3)
			h.GoOn("the first ids")
			e.server.Stop()
			restore := e.server.Snapshot()
			e.server.Start()
			h.GoOn("more than the backup has")
			holders[0].Crash()
			e.server.Kill()
			restore()
			e.server.Start()
			drain(t, e.db)
			if !headToo {
				e.exec("DELETE FROM uid_lease_head WHERE floor_tick > 0")
			}
			e.join(h, 1)
			h.GoOn("the backup serves")
		}
		assert.Empty(t, h.Duplicates())
	}, testserver.Durable())
}

// A file that takes the place of another is another incarnation, also when it gets the number
// that the file system had given to the one that was removed.
func TestFileRestoredUnderHolders(t *testing.T) {
	for name, replace := range map[string]func(t *testing.T, from, to string){
		"renamed": func(t *testing.T, from, to string) { require.NoError(t, os.Rename(from, to)) },
		"removed and copied": func(t *testing.T, from, to string) {
			content, err := os.ReadFile(from)
			require.NoError(t, err)
			require.NoError(t, os.Remove(to))
			require.NoError(t, os.WriteFile(to, content, 0o600))
		},
	} {
		for _, alive := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "w.db")
				e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil)
				h := leasetest.Start(t, e.Store, 6)
				holders := e.join(h, 3)
				h.GoOn("the first ids")
				e.exec("VACUUM INTO '" + path + ".backup'")
				h.GoOn("more than the backup has")
				before := e.incarnation(t)
				if !alive {
					for _, m := range holders {
						m.Crash()
					}
					e.db.Close()
				}
				replace(t, path+".backup", path)
				restored := e.again()
				assert.NotEqual(t, before, restored.incarnation(t))
				h.GoOn("the backup serves", restored.join(h, 3)...)
				assert.Empty(t, h.Duplicates())
			})
		}
	}
}

// The first id of a new file comes soon.
func TestFirstIDOfAFile(t *testing.T) {
	layout := uid.Layout{Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Millisecond,
		TimeBits: 41, WorkerBits: 10, SeqBits: 12}
	var took []time.Duration
	for range 5 {
		e := onSQLite(t)
		begin := time.Now()
		g, err := uid.NewCached(t.Context(), worker.Leased(e.Store, worker.Claim{}),
			uid.Config{Layout: layout, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		_, err = g.GetUID()
		require.NoError(t, err)
		took = append(took, time.Since(begin))
		require.NoError(t, g.Close())
	}
	t.Log(took)
	assert.Less(t, slices.Min(took), 1500*time.Millisecond)
}
