package integration

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// A file that containers mount, and not its folder, has a WAL for each of them.
func TestAFileThatIsMounted(t *testing.T) {
	dir := t.TempDir()
	path, name := filepath.Join(dir, "w.db"), filepath.Join(dir, "of a container.db")
	e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil).inited()
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	testserver.Mounted(t, "a file", func() error {
		return syscall.Mount(path, name, "", syscall.MS_BIND, "")
	}, func() {
		_, err := open(t, "sqlite", sqlstore.SQLiteDSN(name), nil).Check(t.Context())
		assert.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "mount its folder")
	})
	_, err := e.Check(t.Context())
	require.NoError(t, err)
}

// SQLite's locks are gone when the process closes the file, as a backup does. Stores have another.
func TestStoresOfAFileHaveTheirOwnLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil)
	e.leased()
	view := func(ctx context.Context) error {
		_, err := e.View(ctx, pool, 0, 0)
		return err
	}
	other, err := os.Open(filepath.Dir(path))
	require.NoError(t, err)
	require.NoError(t, syscall.Flock(int(other.Fd()), syscall.LOCK_EX))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotEmpty(t, content)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, view(ctx), context.DeadlineExceeded)
	assert.False(t, writeOnce(t.Context(), e.Store, 0))
	require.NoError(t, other.Close())
	require.NoError(t, view(t.Context()))
}

// Who has a file in WAL mode open, and whose index of the WAL somebody removed, would no longer see
// what others write, nor they what it writes, or its locks.
func TestAnIndexOfAWALThatIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil)
	e.exec("PRAGMA journal_mode = WAL")
	e.leased()
	_, w := row(t, e.Store)
	require.NoError(t, os.Remove(path+"-shm"))
	_, err := e.Write(t.Context(), w)
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "w.db-shm was removed while it was in use")
	require.NoError(t, e.db.Close()) // as a restart does
	leasetest.Write(t, e.again().Store, w)
}
