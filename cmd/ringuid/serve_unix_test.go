//go:build unix

package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/child"
)

// What systemd does for a service of Type=notify with a socket.
func TestServeAsAServiceOfSystemd(t *testing.T) {
	dir := t.TempDir()
	store := "sqlite:" + filepath.Join(dir, "db")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "db"), nil, 0o600))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s")})
	require.NoError(t, err)
	defer l.Close()
	socket, err := l.File()
	require.NoError(t, err)
	defer socket.Close()
	told, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "n")})
	require.NoError(t, err)
	defer told.Close()
	require.NoError(t, told.SetReadDeadline(time.Now().Add(3*time.Minute)))
	tells := func() string {
		text := make([]byte, 100)
		n, err := told.Read(text)
		require.NoError(t, err)
		return string(text[:n])
	}

	cmd := exec.Command("sh", "-c", `LISTEN_PID=$$ exec "$@"`, "sh", "ringuid", "serve", "--store",
		store)
	cmd.Env = append(os.Environ(), "LISTEN_FDS=1", "NOTIFY_SOCKET="+filepath.Join(dir, "n"))
	cmd.ExtraFiles = []*os.File{socket}
	var out bytes.Buffer
	cmd.Stdout = &out
	conn, err := net.Dial("unix", filepath.Join(dir, "s")) // before the service runs
	require.NoError(t, err)
	defer conn.Close()
	p, err := child.Start(cmd)
	require.NoError(t, err)
	assert.Equal(t, "READY=1", tells())
	_, err = conn.Write([]byte("PING\r\n"))
	require.NoError(t, err)
	answer := make([]byte, 100)
	n, err := conn.Read(answer)
	require.NoError(t, err)
	assert.Equal(t, "+PONG\r\n", string(answer[:n]))
	require.NoError(t, p.Cmd.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, "STOPPING=1", tells())
	<-p.Ended
	assert.NoError(t, p.Err, "it exits with 0")
	assert.Equal(t, "RESP on unix:"+filepath.Join(dir, "s")+"\n", out.String())
	code, list := typed(t, "worker", "list", "--store", store)
	assert.Equal(t, cli.OK, code)
	assert.Regexp(t, `(?m)^\d+ +(released|waiting) `, list, "the worker id is given back")
}
