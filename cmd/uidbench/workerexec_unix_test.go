//go:build unix

package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// script is a program of somebody else's: it shows its worker id and goes on until it is
// ended.
const script = `trap 'exit 42' TERM INT HUP; echo "$WORKER_ID $1"; while :; do sleep 1 & wait $!; done`

func TestExecGivesNoNumberTwice(t *testing.T) {
	for name, url := range map[string]func(*testing.T) string{
		"MariaDB": func(t *testing.T) string {
			return testserver.MariaDB(t,
				testserver.Durable()).URL()
		},
		"SQLite": func(t *testing.T) string { return "sqlite:" + testserver.TempDir(t) + "/w.db" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := restarted{t: t, store: url(t), seen: map[string]int{}}
			out, err := exec.Command("uidbench", "worker", "init", "--store", s.store).CombinedOutput()
			require.NoError(t, err, string(out))
			var all sync.WaitGroup
			for slot := range 4 {
				all.Go(func() {
					for n := range 25 {
						s.restart(4*n + slot)
					}
				})
			}
			all.Wait()
			// At least those that were let come so far.
			assert.GreaterOrEqual(t, len(s.seen), 66)
			for number, times := range s.seen {
				assert.Equal(t, 1, times, "worker id %s", number)
			}
		})
	}
}

// restarted is a program that is started and ended over and over again.
type restarted struct {
	t     *testing.T
	store string

	mu   sync.Mutex
	seen map[string]int // how often a worker id was
}

// restart starts the program, and ends it by force: when it has shown its worker id, or
// at any moment before.
func (s *restarted) restart(n int) {
	cmd := exec.Command("uidbench", "worker", "exec", "--store", s.store, "--", "sh", "-c", script,
		"sh", "{}")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	if !assert.NoError(s.t, err) || !assert.NoError(s.t, cmd.Start()) {
		return
	}
	shown := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadString('\n')
		shown <- strings.TrimSpace(line)
	}()
	signal := syscall.SIGKILL
	if n%3 == 1 {
		signal = syscall.SIGTERM
	}
	line := ""
	if n%3 == 2 {
		// wherever it is then: not what is tested, but what is done to it
		<-time.After(rand.N(80 * time.Millisecond))
	} else {
		line = <-shown
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal) // its sleep, too
	if n%3 == 2 {
		line = <-shown
	}
	_ = cmd.Wait()
	s.count(n, line)
}

func (s *restarted) count(n int, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if line == "" { // it did not come so far
		assert.Equal(s.t, 2, n%3, "start %d shows no worker id", n)
		return
	}
	number, argument, _ := strings.Cut(line, " ")
	assert.Equal(s.t, number, argument)
	s.seen[number]++
}

// A supervisor knows nothing but the process that it started, and sends signals to that.
func TestExecIsReplacedByTheProgram(t *testing.T) {
	store := "sqlite:" + t.TempDir() + "/w.db"
	require.NoError(t, exec.Command("uidbench", "worker", "init", "--store", store).Run())
	cmd := exec.Command("uidbench", "worker", "exec", "--store", store, "--", "sh", "-c",
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
