package integration

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// A file that takes the place of the open one has worker ids that are held here.
func TestLeasesOnAFileThatIsReplaced(t *testing.T) {
	for _, journal := range []string{"DELETE", "WAL"} {
		t.Run(journal, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "w.db")
			e := open(t, "sqlite", sqlstore.SQLiteDSN(path)+"&_pragma=journal_mode("+journal+")", nil)
			e.db.SetMaxOpenConns(1) // none is opened while another file is there
			l := e.leased()
			_, w := row(t, l)
			lease := assign(t, l)
			_, err := e.db.Exec("VACUUM INTO ?", path+".copy")
			require.NoError(t, err)

			require.NoError(t, os.Rename(path, path+".old"))
			applied, err := l.Write(t.Context(), w)
			require.ErrorIs(t, err, worker.ErrStore)
			assert.ErrorContains(t, err, "gone")
			assert.False(t, applied)

			require.NoError(t, os.Rename(path+".copy", path))
			for what, call := range map[string]func() error{
				"Write": func() error { _, err := l.Write(t.Context(), w); return err },
				"View":  func() error { _, err := l.View(t.Context(), pool, 0, 3); return err },
				"Check": func() error { _, err := l.Check(t.Context()); return err },
				"Raise": func() error { _, err := l.Raise(t.Context(), store.Raise{Pool: pool}); return err },
			} {
				err := call()
				require.ErrorIs(t, err, worker.ErrStore, what)
				assert.ErrorContains(t, err, "was replaced", what)
			}
			require.NoError(t, os.Rename(path+".old", path)) // put back: it goes on
			require.NoError(t, lease.Release(t.Context(), math.MinInt64))
		})
	}
}
