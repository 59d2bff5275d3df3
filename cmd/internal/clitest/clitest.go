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
	"syscall"
	"testing"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/rogpeppe/go-internal/testscript"
)

// RunFolder runs the txtar scripts of a folder.
func RunFolder(t *testing.T, dir string, vars map[string]string) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			// else each command lasts a second more under the race detector
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			for name, value := range vars {
				e.Setenv(name, strings.ReplaceAll(value, "$WORK", e.WorkDir))
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "lease.db"), nil, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"interrupt": interrupt,
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

// interrupt SIGNAL PATTERN COMMAND... runs a command, sends it the signal when a
// line on its stderr matches, and wants it to exit with 130.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: interrupt SIGNAL PATTERN COMMAND [ARG...]")
	}
	name, err := exec.LookPath(args[2])
	ts.Check(err)
	cmd := exec.Command(name, args[3:]...)
	cmd.Dir, cmd.Stdout = ts.MkAbs("."), ts.Stdout()
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() { _ = cmd.Process.Kill() })
	signal := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[0]]
	lines, wanted := bufio.NewScanner(stderr), regexp.MustCompile(args[1])
	for sent := false; lines.Scan(); {
		fmt.Fprintln(ts.Stderr(), lines.Text())
		if !sent && wanted.MatchString(lines.Text()) {
			sent = true
			ts.Check(cmd.Process.Signal(signal))
		}
	}
	if code := codeOf(cmd.Wait()); code != cli.Interrupted {
		ts.Fatalf("it exits with %d, want %d", code, cli.Interrupted)
	}
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
