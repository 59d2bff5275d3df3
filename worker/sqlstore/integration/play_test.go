package integration

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// A backup is restored beside holders that live and one that was killed. The server that
// serves it has started since, so it grants nothing below what may have been lost.
func TestBackupRestoredUnderHolders(t *testing.T) {
	forEachServer(t, durable, func(t *testing.T, e env) {
		play := leasetest.Rewind{Keep: leasetest.Backup(e.server), Crash: 2,
			Open: func() store.Store { return e.again().Store }}
		assert.Zero(t, play.Play(t))
	})
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
		for _, killed := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "w.db")
				e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil)
				h := leasetest.Start(t, e.Store, 3)
				join := func() (joined []*leasetest.Holder) {
					for range 3 {
						joined = append(joined, h.Join(e.again().Store))
					}
					return joined
				}
				holders := join()
				h.GoOn("the first ids")
				e.exec("VACUUM INTO '" + path + ".backup'")
				h.GoOn("more than the backup has")
				before := e.incarnation(t)
				crash := func() {
					for _, m := range holders {
						m.Crash()
					}
				}
				if killed {
					crash()
				}
				require.NoError(t, e.db.Close())
				replace(t, path+".backup", path)
				// SQLite fails while a holder of the old file begins or ends a write: its journal has
				// the new one's name.
				leasetest.Until(t, "the backup can be read", func() error {
					v, err := e.again().View(t.Context(), pool, 0, 0)
					assert.NotEqual(t, before, v.Server)
					return err
				})
				join()
				crash() // who has the old file open cannot go on
				h.GoOn("the backup serves")
				assert.Zero(t, h.Duplicates())
			})
		}
	}
}

// The first id of a new file waits for a second of slack, since one clock serves all of its
// processes: TestANewPoolGivesItsFirstIDSoon has what slack makes of it.
func TestFirstIDOfAFile(t *testing.T) {
	e, c := onSQLite(t), worker.Claim{Logger: slog.New(slog.DiscardHandler)}
	l, err := worker.Leased(e.Store, c).Assign(t.Context(), need)
	require.NoError(t, err)
	require.NoError(t, l.Release(t.Context(), 0))
	v, err := e.Store.View(t.Context(), pool, 0, 0)
	require.NoError(t, err)
	assert.Equal(t, time.Second, v.Slack)
}
