package serve

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server that accepts nobody at the moment is alive.
func TestABusyServerKeepsItsSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	busy, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer syscall.Close(busy)
	require.NoError(t, syscall.Bind(busy, &syscall.SockaddrUnix{Name: path}))
	require.NoError(t, syscall.Listen(busy, 0))
	dial(t, "unix:"+path) // the one that may wait
	_, err = Listen(Config{RESP: []string{"unix:" + path}})
	assert.ErrorContains(t, err, "another server listens on "+path)
	assert.FileExists(t, path)
}

// Nobody else connects before the socket has its mode, whatever the umask is.
func TestASocketBeginsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	path := filepath.Join(t.TempDir(), "s")
	l, err := private.Listen(t.Context(), "unix", path)
	require.NoError(t, err)
	defer l.Close()
	at, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, fs.ModeSocket|0o600, at.Mode())
}
