package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"uidbench": func() {
		nameMachine()
		main()
	}})
}

// TestCommands starts uidbench some hundred times. The race detector makes each start
// slow; what runs at the same time in it is in bench, cmd/uidbench/internal/soak and the tests
// below.
// Scripts whose commands name the machine hold whatever its names are.
func TestCommands(t *testing.T) {
	race.Skip(t)
	runScripts(t, "testdata/script", map[string]string{"STORE": "sqlite:$WORK/lease.db"})
	for name, given := range map[string]string{
		"short names": "1/h/i9+",
		"long names":  longNames,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runFiles(t, map[string]string{givenMachine: given, "STORE": "sqlite:$WORK/lease.db"},
				"testdata/script/pictures.txtar", "testdata/script/store.txtar")
		})
	}
}

// longNames are those of a machine that has the longest ones.
var longNames = "64/" + strings.Repeat("h", 63) + "/" + strings.Repeat("Some CPU 7", 6)

// givenMachine has CPUs/HOST/CPU, which nameMachine calls the machine of uidbench under test.
const givenMachine = "UIDBENCH_TEST_MACHINE"

func nameMachine() {
	names := strings.SplitN(os.Getenv(givenMachine), "/", 3)
	if len(names) < 3 {
		return
	}
	cpus, _ := strconv.Atoi(names[0])
	machine.This.CPUs = func() int { return cpus }
	machine.This.HostName = func() (string, error) { return names[1], nil }
	machine.This.Addrs = func() ([]net.Addr, error) { return nil, nil } // these go before the name
	machine.This.CPU = func() string { return names[2] }
}

func TestScriptsWithMariaDB(t *testing.T) {
	t.Parallel()
	db := testserver.MariaDB(t, testserver.Durable())
	runScripts(t, "testdata/server", map[string]string{"STORE": database(t, "mysql", db),
		"ADDR": db.Addr()})
	runScripts(t, "testdata/mariadb", map[string]string{
		"ADDR": db.Addr(), "FORGETFUL": testserver.MariaDB(t).URL(),
	})
	runLeaseScripts(t, db)
}

func TestScriptsWithPostgreSQL(t *testing.T) {
	t.Parallel()
	db := testserver.Postgres(t, testserver.Durable())
	runScripts(t, "testdata/server", map[string]string{"STORE": database(t, "pgx", db),
		"ADDR": db.Addr()})
	runLeaseScripts(t, db)
}

// database makes one for WORKER_NODE, whose keys no recycled worker id may have, and returns
// its URL.
func database(t *testing.T, driver string, s *testserver.Server) string {
	db, err := sql.Open(driver, s.DSN())
	require.NoError(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE nodes")
	require.NoError(t, err)
	return s.URL()[:strings.LastIndex(s.URL(), "/")] + "/nodes"
}

func TestScriptsWithRedis(t *testing.T) {
	t.Parallel()
	runLeaseScripts(t, testserver.Redis(t, testserver.Durable()))
	for _, dir := range []string{"redis", "secret"} {
		forgetful := testserver.Redis(t, testserver.Args("--requirepass", "hunter2"))
		runScripts(t, "testdata/"+dir, map[string]string{
			"STORE": "redis://:hunter2@" + forgetful.Addr(), "ADDR": forgetful.Addr()})
	}
}

func TestScriptsWithZooKeeper(t *testing.T) {
	t.Parallel()
	runLeaseScripts(t, testserver.ZooKeeper(t, testserver.Durable()))
}

func TestScriptsWithEtcd(t *testing.T) {
	t.Parallel()
	runLeaseScripts(t, testserver.Etcd(t, testserver.Durable()))
}

func TestScriptsWithKubernetes(t *testing.T) {
	t.Parallel()
	server := testserver.Kubernetes(t, []string{testserver.Etcd(t, testserver.Durable()).Addr()})
	file := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `
clusters: [{name: c, cluster: {server: %s, insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: %s}}]
contexts: [{name: c, context: {cluster: c, user: u, namespace: kube-system}}]
current-context: c
`, server.URL(), testserver.KubernetesAdmin), 0o600))
	runScripts(t, "testdata/lease", map[string]string{"STORE": "k8s:kube-system?name=orders",
		"KUBECONFIG": file})
}

func TestScriptsWithThreeServers(t *testing.T) {
	t.Parallel()
	c := testserver.EtcdCluster(t, 3)
	c.Follower().Kill() // a list of servers is for when one is not there
	runScripts(t, "testdata/cluster", map[string]string{"STORE": c.URL()})
}

func TestScriptsWithSQLite(t *testing.T) {
	t.Parallel()
	// A file for each script: locked for long, it fails who cannot wait.
	runScripts(t, "testdata/lease", map[string]string{"STORE": "sqlite:$WORK/lease.db",
		givenMachine: longNames})
}

func runLeaseScripts(t *testing.T, s *testserver.Server) {
	runScripts(t, "testdata/lease", map[string]string{"STORE": s.URL()})
}

// runScripts runs the txtar scripts of a folder.
func runScripts(t *testing.T, dir string, vars map[string]string) {
	files, err := filepath.Glob(dir + "/*.txtar")
	require.NoError(t, err)
	runFiles(t, vars, files...)
}

// runFiles runs txtar scripts, each with a state folder of its own.
func runFiles(t *testing.T, vars map[string]string, files ...string) {
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			// else each command lasts a second more under the race detector
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			e.Setenv(testserver.ClockShift, os.Getenv(testserver.ClockShift))
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
	for _, key := range []string{"XDG_STATE_HOME", "KUBECONFIG", givenMachine} {
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
	if code := codeOf(cmd.Wait()); code != exitInterrupted {
		ts.Fatalf("it exits with %d, want %d", code, exitInterrupted)
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

func TestExitCodes(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want int
	}{
		"nothing wrong":              {t.Context(), nil, exitOK},
		"an error":                   {t.Context(), io.ErrUnexpectedEOF, exitError},
		"usage":                      {t.Context(), usagef("type %d", 1), exitUsage},
		"a layout":                   {t.Context(), fmt.Errorf("x: %w", uid.ErrLayout), exitUsage},
		"interrupted":                {ended, fmt.Errorf("x: %w", context.Canceled), exitInterrupted},
		"an error while interrupted": {ended, io.ErrUnexpectedEOF, exitError},
		"a timeout of somebody else": {t.Context(), context.Canceled, exitError},
		"a duplicate and interrupted": {ended, errors.Join(context.Canceled, bench.ErrDuplicate),
			exitDuplicate},
	} {
		assert.Equal(t, c.want, exitCode(c.ctx, c.err), name)
	}
}
