package subprocess

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// asProcess in the environment has the test binary be a process.
const asProcess = "SUBPROCESS_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		if err := echo(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// echo tells its job, each signal and its end.
func echo() error {
	c := Attach(os.Stdin, os.Stdout)
	var job string
	if err := c.Job(&job); err != nil {
		return err
	}
	if err := c.Tell(job); err != nil {
		return err
	}
	ctx, signals := c.Follow(context.Background())
	for {
		select {
		case <-signals:
			if err := c.Tell("signal"); err != nil {
				return err
			}
		case <-ctx.Done():
			return c.Tell(context.Cause(ctx).Error())
		}
	}
}

func self() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProcess+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// received is the next message.
func received(t *testing.T, p *Process) (message string) {
	t.Helper()
	require.NoError(t, p.Receive(&message))
	return message
}

func TestAProcessFromItsStartToItsEnd(t *testing.T) {
	p, err := Start(self(), "a job")
	require.NoError(t, err)
	assert.Equal(t, "a job", received(t, p))
	for range 3 {
		require.NoError(t, p.Signal())
		assert.Equal(t, "signal", received(t, p))
	}
	p.End()
	p.End() // once is enough
	assert.Equal(t, ErrEnded.Error(), received(t, p))
	require.NoError(t, p.Wait())
	<-p.Exited()
	assert.ErrorIs(t, p.Receive(new(string)), io.EOF)
}

func TestAKilledProcess(t *testing.T) {
	p, err := Start(self(), "a job")
	require.NoError(t, err)
	assert.Equal(t, "a job", received(t, p))
	p.Kill()
	require.ErrorIs(t, p.Receive(new(string)), io.EOF)
	var exit *exec.ExitError
	require.ErrorAs(t, p.Wait(), &exit)
	p.Kill() // it is gone already
	assert.Error(t, p.Signal())
}

func TestAPausedProcessTellsNothing(t *testing.T) {
	if !CanPause {
		t.Skip("this system cannot pause a process")
	}
	p, err := Start(self(), "a job")
	require.NoError(t, err)
	assert.Equal(t, "a job", received(t, p))
	require.NoError(t, p.Pause())
	require.NoError(t, p.Signal())
	require.NoError(t, p.Resume())
	assert.Equal(t, "signal", received(t, p))
	p.End()
	require.NoError(t, p.Wait())
}

func TestWhatIsNoMessageIsSaid(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	p, err := Start(exec.Command("sh", "-c", `echo oops; echo '"well"'; printf half`), "")
	require.NoError(t, err)
	err = p.Receive(new(string))
	require.ErrorIs(t, err, ErrLine)
	require.ErrorContains(t, err, "oops")
	assert.Equal(t, "well", received(t, p))
	require.ErrorIs(t, p.Receive(new(string)), io.EOF)
	require.NoError(t, p.Wait())
}

func TestWhatCannotBeStarted(t *testing.T) {
	_, err := Start(exec.Command(filepath.Join(t.TempDir(), "nothing")), "")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Start(self(), make(chan int))
	require.Error(t, err, "no JSON")
}

func TestAProcessWithoutAJob(t *testing.T) {
	for _, stdin := range []string{"", "no JSON\n", `"half a line"`} {
		assert.ErrorIs(t, Attach(strings.NewReader(stdin), io.Discard).Job(new(string)), ErrNoJob)
	}
}

// A parent that has gone is told of once, and again.
func TestTellingNobody(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	c := Attach(strings.NewReader(""), w)
	require.ErrorIs(t, c.Tell("a"), io.ErrClosedPipe)
	require.ErrorIs(t, c.Tell("b"), io.ErrClosedPipe)
}
