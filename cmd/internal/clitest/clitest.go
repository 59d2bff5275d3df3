// Package clitest runs scripts of the commands of this repository.
package clitest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
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

// A Command is one that scripts run in the process of the test, which saves most of the time. What
// needs the script's folder, environment or stdin is for exec, in a process of its own.
type Command struct {
	Name string
	Run  func(ctx context.Context, args []string, stdout, stderr io.Writer) (code int)
}

// RunFolder runs the txtar scripts of a folder.
func (c Command) RunFolder(t *testing.T, dir string, vars map[string]string) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			for name, value := range vars {
				e.Setenv(name, strings.ReplaceAll(value, "$WORK", e.WorkDir))
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "lease.db"), nil, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": func(ts *testscript.TestScript, _ bool, args []string) {
				c.exits(ts, false, append([]string{"0"}, args...))
			},
			"exits":     c.exits,
			"interrupt": interrupt,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// exits CODE [exec] COMMAND... runs a command that must exit with that code.
func (c Command) exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE [exec] COMMAND [ARG...]")
	}
	want, got := args[0], -1
	switch args = args[1:]; args[0] {
	case c.Name:
		got = c.Run(context.Background(), args[1:], ts.Stdout(), ts.Stderr())
	case "exec":
		got = codeOf(ts.Exec(args[1], args[2:]...))
	default:
		ts.Fatalf("%s runs with exec", args[0])
	}
	if strconv.Itoa(got) != want {
		ts.Fatalf("%s exits with %d, want %s", strings.Join(args, " "), got, want)
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
