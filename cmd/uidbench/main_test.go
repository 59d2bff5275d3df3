package main

import (
	"bufio"
	"bytes"
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

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"uidbench": main}) }

func TestScripts(t *testing.T) { runScripts(t, "testdata/script", nil) }

func TestScriptsWithMariaDB(t *testing.T) {
	db := testserver.MariaDB(t)
	runScripts(t, "testdata/server", map[string]string{"STORE": db.URL(), "ADDR": db.Addr()})
	runScripts(t, "testdata/mariadb", map[string]string{"ADDR": db.Addr()})
}

func TestScriptsWithPostgreSQL(t *testing.T) {
	db := testserver.Postgres(t)
	runScripts(t, "testdata/server", map[string]string{"STORE": db.URL(), "ADDR": db.Addr()})
}

// runScripts runs the txtar scripts of a folder, each with a state folder of its
// own.
func runScripts(t *testing.T, dir string, vars map[string]string) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each command lasts a second more under the race detector
			for name, value := range vars {
				e.Setenv(name, value)
			}
			return nil
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
	signal := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[0]]
	pattern := regexp.MustCompile(args[1])
	name, err := exec.LookPath(args[2])
	ts.Check(err)
	cmd := exec.Command(name, args[3:]...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+ts.Getenv("XDG_STATE_HOME"))
	cmd.Stdout = ts.Stdout()
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())

	sent := false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		fmt.Fprintln(ts.Stderr(), lines.Text())
		if !sent && pattern.MatchString(lines.Text()) {
			ts.Check(cmd.Process.Signal(signal))
			sent = true
		}
	}
	if code := codeOf(cmd.Wait()); code != exitInterrupted || !sent {
		ts.Fatalf("it exits with %d, want %d (signal sent: %v)", code, exitInterrupted, sent)
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

// repeater gives the same id for ever.
type repeater struct{}

func (repeater) GetUIDContext(context.Context) (uid.ID, error) { return 7, nil }
func (repeater) Layout() uid.Layout                            { return uid.DefaultLayout }
func (repeater) Stats() uid.Stats                              { return uid.Stats{} }
func (repeater) Close() error                                  { return nil }

func TestADuplicateExitsWith3(t *testing.T) {
	f := runFlags{format: "text", quiet: true, bench: bench.Config{Generator: repeater{}, Count: 10, Verify: true, Unordered: true}}
	var stdout bytes.Buffer
	err := f.load(t.Context(), &stdout, io.Discard)
	assert.Equal(t, exitDuplicate, exitCode(t.Context(), err))
	assert.Contains(t, stdout.String(), "9 DUPLICATES: 7, 7, 7", "the report is written all the same")
}

func TestExitCodes(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want int
	}{
		"nothing wrong":               {t.Context(), nil, exitOK},
		"an error":                    {t.Context(), io.ErrUnexpectedEOF, exitError},
		"usage":                       {t.Context(), usagef("type %d", 1), exitUsage},
		"a layout":                    {t.Context(), fmt.Errorf("x: %w", uid.ErrLayout), exitUsage},
		"interrupted":                 {ended, fmt.Errorf("x: %w", context.Canceled), exitInterrupted},
		"an error while interrupted":  {ended, io.ErrUnexpectedEOF, exitError},
		"a timeout of somebody else":  {t.Context(), context.Canceled, exitError},
		"a duplicate and interrupted": {ended, errors.Join(context.Canceled, bench.ErrDuplicate), exitDuplicate},
	} {
		assert.Equal(t, c.want, exitCode(c.ctx, c.err), name)
	}
}

func TestAnInterruptBeforeTheStartExitsWith130(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitInterrupted, run(ctx, []string{"--duration", "1h"}, &stdout, &stderr))
	assert.Equal(t, "uidbench: interrupted\n", stderr.String())
}
