// Package clitest runs scripts of the commands of this repository.
package clitest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// RunFolder runs the txtar scripts of a folder.
func RunFolder(t *testing.T, dir string, vars map[string]string) {
	files, err := filepath.Glob(dir + "/*.txtar")
	require.NoError(t, err)
	Run(t, vars, files...)
}

// Run runs txtar scripts, each with a state folder of its own.
func Run(t *testing.T, vars map[string]string, files ...string) {
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			// else each command lasts a second more under the race detector
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			for name, value := range vars {
				e.Setenv(name, strings.ReplaceAll(value, "$WORK", e.WorkDir))
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "lease.db"), nil, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":       exits,
			"interrupt":   interrupt,
			"holding":     holding,
			"killholding": killHolding,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// exits CODE COMMAND... runs a command that must exit with that code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := codeOf(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("%s exits with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// begun starts a command, and returns when a line on its stderr, of which it shows all until
// then, matches the pattern.
func begun(ts *testscript.TestScript, pattern string, args []string) (*exec.Cmd, *bufio.Scanner) {
	name, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(name, args[1:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), os.Environ()
	for _, key := range []string{"XDG_STATE_HOME", "KUBECONFIG"} {
		cmd.Env = append(cmd.Env, key+"="+ts.Getenv(key))
	}
	cmd.Stdout = ts.Stdout()
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() { _ = cmd.Process.Kill() })
	lines, wanted := bufio.NewScanner(stderr), regexp.MustCompile(pattern)
	for lines.Scan() {
		fmt.Fprintln(ts.Stderr(), lines.Text())
		if wanted.MatchString(lines.Text()) {
			return cmd, lines
		}
	}
	ts.Fatalf("it ends without %s", pattern)
	return nil, nil
}

// interrupt SIGNAL PATTERN COMMAND... runs a command, sends it the signal when a
// line on its stderr matches, and wants it to exit with 130.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: interrupt SIGNAL PATTERN COMMAND [ARG...]")
	}
	cmd, lines := begun(ts, args[1], args[2:])
	signal := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[0]]
	ts.Check(cmd.Process.Signal(signal))
	for lines.Scan() {
		fmt.Fprintln(ts.Stderr(), lines.Text())
	}
	if code := codeOf(cmd.Wait()); code != cli.Interrupted {
		ts.Fatalf("it exits with %d, want %d", code, cli.Interrupted)
	}
}

// holding PATTERN COMMAND... starts a command, and continues when a line on its
// stderr matches. It is to be ended with killholding.
func holding(ts *testscript.TestScript, _ bool, args []string) {
	cmd, _ := begun(ts, args[0], args[1:])
	heldCommands.Store(ts, cmd)
}

// heldCommands are the commands of holding, by their script.
var heldCommands sync.Map

// killHolding kills the command of holding.
func killHolding(ts *testscript.TestScript, _ bool, _ []string) {
	cmd, _ := heldCommands.Load(ts)
	ts.Check(cmd.(*exec.Cmd).Process.Kill())
	_ = cmd.(*exec.Cmd).Wait() // it was killed
}

func codeOf(err error) int {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}
