package integration

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// A file that containers mount, and not its folder, has a WAL for each of them.
func TestAFileThatIsMounted(t *testing.T) {
	dir := t.TempDir()
	path, name := filepath.Join(dir, "w.db"), filepath.Join(dir, "of a container.db")
	e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil).inited()
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // which ends with this goroutine, and its mounts
		if err := syscall.Unshare(syscall.CLONE_NEWNS); err != nil {
			t.Log(err)
			return
		}
		assert.NoError(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
		assert.NoError(t, syscall.Mount(path, name, "", syscall.MS_BIND, ""))
		_, err := open(t, "sqlite", sqlstore.SQLiteDSN(name), nil).Check(t.Context())
		assert.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "mount its folder")
		path = ""
	}()
	<-done
	if path != "" {
		testserver.Missing(t, "mount", "the right to mount a file")
	}
	_, err := e.Check(t.Context())
	require.NoError(t, err)
}
