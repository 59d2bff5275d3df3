package integration

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
				"Raise": func() error { _, err := l.Raise(t.Context(), pool, store.Head{}, 0, 0); return err },
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

// A write waits for the lock of a file, and when it has it, another file is there.
func TestFileReplacedUnderAWriteThatWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	patient := strings.Replace(sqlstore.SQLiteDSN(path), "busy_timeout(10)", "busy_timeout(60000)", 1)
	e := open(t, "sqlite", patient+"&_pragma=journal_mode(WAL)", nil)
	l := e.leased()
	_, w := row(t, l)
	_, err := e.db.Exec("VACUUM INTO ?", path+".copy")
	require.NoError(t, err)
	end := e.begin("BEGIN IMMEDIATE")
	written := make(chan error, 1)
	go func() {
		_, err := l.Write(t.Context(), w)
		written <- err
	}()
	require.Eventually(t, func() bool { return e.db.Stats().InUse > 0 }, time.Minute, time.Millisecond)
	time.Sleep(10 * time.Millisecond) // so that it waits; if it does not yet, it is refused as well
	require.NoError(t, os.Rename(path+".copy", path))
	end()
	err = <-written
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "was replaced")
}
