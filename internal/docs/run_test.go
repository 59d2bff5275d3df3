package docs

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// workshop is what commands are run with.
type workshop struct {
	uidbench string // the real one
	bin      string // a folder with the stand-ins
}

// newWorkshop builds uidbench, and puts this test's program in a folder under the
// names of the programs that it stands in for.
func newWorkshop(t *testing.T) workshop {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	for _, name := range []string{"sh", "make"} {
		if _, err := exec.LookPath(name); err != nil {
			testserver.Missing(t, name, "apt-get install "+name)
		}
	}
	watchSources(t)
	w := workshop{uidbench: filepath.Join(t.TempDir(), "uidbench"), bin: t.TempDir()}
	build := exec.Command("go", "build", "-o", w.uidbench, "./cmd/uidbench")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	self, err := os.Executable()
	require.NoError(t, err)
	for name := range standIns {
		require.NoError(t, os.Symlink(self, filepath.Join(w.bin, name)))
	}
	return w
}

// watchSources looks at all that uidbench is built from. That lets `go test` know that
// it cannot take an earlier result when one of them has changed.
func watchSources(t *testing.T) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".go") || filepath.Base(path) == "Makefile") {
			_, err = os.Stat(path)
		}
		return err
	}))
}

// stores start what is behind a URL of a kind.
var stores = map[string]func(testing.TB, ...testserver.Option) *testserver.Server{
	"mysql": testserver.MariaDB, "postgres": testserver.Postgres,
	"redis": testserver.Redis, "zk": testserver.ZooKeeper, "etcd": testserver.Etcd,
}

var storeURL = regexp.MustCompile(`\b(mysql|postgres|redis|zk|etcd)://[^\s'"]+`)

// run runs the lines of a script one after the other; the first that does not exit
// as it should ends it.
func (w workshop) run(t *testing.T, s script) {
	servers := map[string]string{}
	server := func(url string) string {
		kind, _, _ := strings.Cut(url, ":")
		if servers[kind] == "" {
			servers[kind] = stores[kind](t, testserver.Durable()).URL()
		}
		return servers[kind]
	}
	dir := testserver.TempDir(t)
	for _, line := range s.lines {
		command := storeURL.ReplaceAllStringFunc(replaced(line), server)
		want := 0
		for _, r := range rulesFor(canonical(line)) {
			want = max(want, r.exit)
			if r.first != "" {
				code, out := w.shell(t, dir, r.first, command)
				require.Zero(t, code, "%s: before `%s`, the test runs `%s`, which failed:\n%s", s.place, line, r.first, out)
			}
		}
		code, out := w.shell(t, dir, command, command)
		if !assert.Equal(t, want, code, "%s: `%s` was run as `%s` and exits with %d:\n%s\n"+
			"Correct it, or add a rule with its reason to internal/docs/rules_test.go.", s.place, line, command, code, out) {
			return
		}
	}
}

// patience with a single command.
const patience = 2 * time.Minute

// shell runs a line, and returns what it exits with and what it says. The variables
// of the rules are those of command.
func (w workshop) shell(t *testing.T, dir, line, command string) (code int, out string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	goCommand, err := exec.LookPath("go")
	require.NoError(t, err)
	makeCommand, err := exec.LookPath("make")
	require.NoError(t, err)
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"PATH="+w.bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"GORACE=atexit_sleep_ms=0", // else each stand-in lasts a second more under the race detector
		realUidbench+"="+w.uidbench, realGo+"="+goCommand, realMake+"="+makeCommand, realRoot+"="+top,
		"STORE="+flagOf(command, "--store", ""), "NAMESPACE="+flagOf(command, "--namespace", "default"),
	)
	said, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(said)
}

func TestACommandThatNoRuleMakesRunFails(t *testing.T) {
	w := newWorkshop(t)
	for line, want := range map[string]int{
		"uidbench --no-such-flag":                       2,
		"go run ./cmd/nothing":                          1,
		"go test ./nothing":                             1,
		"go test -run TestNothingOfThisName .":          1,
		"go test -bench Nothing ./uid":                  1,
		"go test -no-such-flag ./uid":                   1,
		"make no-such-target":                           2,
		"make bench BENCH=Nothing":                      1,
		"no-such-program":                               127,
		"uidbench plan --format json | jq .[0].nothing": 1,
	} {
		code, out := w.shell(t, t.TempDir(), line, line)
		assert.Equal(t, want, code, "%s\n%s", line, out)
	}
}
