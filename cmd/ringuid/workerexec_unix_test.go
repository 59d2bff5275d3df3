//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// script is a program of somebody else's: it shows its worker id and goes on until it is
// ended.
const script = `trap 'exit 42' TERM INT HUP; echo "$WORKER_ID $1"; while :; do sleep 1 & wait $!; done`

// A supervisor knows nothing but the process that it started, and sends signals to that.
func TestExecIsReplacedByTheProgram(t *testing.T) {
	store := "sqlite:" + t.TempDir() + "/w.db"
	require.NoError(t, exec.Command("ringuid", "worker", "init", "--store", store).Run())
	cmd := exec.Command("ringuid", "worker", "exec", "--store", store, "--", "sh", "-c",
		"echo $$; "+script)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprintln(cmd.Process.Pid), line)
	_, err = lines.ReadString('\n') // it listens to signals by now
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait() // the state says it all
	assert.Equal(t, 42, cmd.ProcessState.ExitCode(), "it ends as it wants to")
}

// A start waits for its server. A person sees what for, before the first attempt has failed.
func TestExecSaysWhatItWaitsFor(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	at := "@" + silent.Addr().String() + "/uid"
	ctx, cancel := context.WithCancel(t.Context())
	stderr, w := io.Pipe()
	code := make(chan int)
	go func() {
		code <- run(ctx, []string{"worker", "exec", "--store", "postgres://uid:hunter2" + at, "true"},
			io.Discard, w)
	}()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "ringuid: waiting for a worker id from postgres://uid"+at+
		", for up to a minute\n", line)
	cancel()
	go io.Copy(io.Discard, stderr)
	assert.Equal(t, cli.Interrupted, <-code)
}
