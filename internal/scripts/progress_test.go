package scripts

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// tested is a module with a package of each kind.
var tested = map[string]string{
	"go.mod":          "module example.org/there\n\ngo 1.25.0\n",
	"bad/a_test.go":   `func TestBad(t *testing.T) { t.Error("is wrong") }`,
	"built/a_test.go": `func TestNever(t *testing.T) { return 1 }`,
	"good/a_test.go": `func TestGood(*testing.T) {}
func TestSkips(t *testing.T) { t.Log("x"); t.Skip("no \"server\" & more") }`,
	"waits/a_test.go": `import ("net"; "os")
func TestWaits(t *testing.T) {
	c, _ := net.Dial("tcp", os.Getenv("WAIT"))
	c.Read(make([]byte, 1))
}`,
}

// testScript is scripts/test.sh on these, with pauses that are short and noted in ../slept.
func testScript(t *testing.T, args string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		t.Skip("the script is for a Unix shell")
	}
	dir := filepath.Join(testserver.TempDir(t), "with space")
	for name, text := range tested {
		if filepath.Ext(name) == ".go" {
			text = "package x\n\nimport \"testing\"\n" + text + "\n"
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tmp"), 0o700))
	sleep := "#!/bin/sh\necho $1 >>../slept\nPATH=${PATH#*:} exec sleep 0.2\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sleep"), []byte(sleep), 0o700))
	script, err := filepath.Abs("../../scripts/test.sh")
	require.NoError(t, err)
	require.FileExists(t, script) // so that go test knows when it has changed
	require.FileExists(t, strings.TrimSuffix(script, "sh")+"awk")
	cmd := exec.Command(script, strings.Fields(args)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"),
		"PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return cmd
}

func TestTheRunOfTestsEndsWithItsTotals(t *testing.T) {
	for name, c := range map[string]struct {
		args string
		code int
		says string
	}{
		"passes": {"go test -json ./good", 0, `
packages: 1; failed: 0; without tests: 0
skipped: 1: no "server" & more

DONE 2 tests, 1 skipped in \S+
$`},
		"of several": {"go test -json ./good --beside go test -json ./good ./bad --then false", 1, `(?s)
✖  bad .*
=== Failed
=== FAIL: bad \[2\] TestBad .*: is wrong

DONE 5 tests, 2 skipped, 1 failure in \S+
$`},
		"is not built": {"go test -json ./built ./good", 1, `(?s)too many return values.*
=== Errors.*too many return values.*
DONE 2 tests, 1 skipped, 1 failure in \S+
$`},
		"has no test": {"go test -json -run=Nothing ./good", 1, `
DONE 0 tests in \S+
no test ran
$`},
		"cannot begin": {"go test -json ./nowhere", 1, `directory not found`},
	} {
		t.Run(name, func(t *testing.T) {
			script := testScript(t, c.args)
			out, _ := script.CombinedOutput() // the code says more than the error
			assert.Regexp(t, c.says, string(out))
			assert.Equal(t, c.code, script.ProcessState.ExitCode())
		})
	}
}

// Whoever interrupts it has seen what is running, and nothing runs on.
func TestTheRunOfTestsSaysWhatRunsAndCanBeInterrupted(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	cmd := testScript(t, "go test -json ./waits --beside go test -json -count=1 ./good ./waits")
	cmd.Env = append(cmd.Env, "WAIT="+l.Addr().String())
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })

	running := regexp.MustCompile(`^\d+m\d\ds: packages: 1 of 3 finished, 0 failed; ` +
		`running: waits \(TestWaits \d+s\), waits \(TestWaits \d+s\)$`)
	said, seen := bufio.NewScanner(out), false
	for !seen && said.Scan() {
		seen = running.MatchString(said.Text())
	}
	require.True(t, seen)
	pauses, err := os.ReadFile(filepath.Join(cmd.Dir, "..", "slept"))
	require.NoError(t, err)
	for i, pause := range strings.Fields(string(pauses)) {
		seconds, err := strconv.Atoi(pause)
		require.NoError(t, err)
		assert.LessOrEqual(t, seconds, 30)
		if i == 0 {
			assert.LessOrEqual(t, seconds, 10, "until the first line")
		}
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	for range 2 {
		waits, err := l.Accept()
		require.NoError(t, err)
		defer waits.Close()
		_, err = waits.Read(make([]byte, 1))
		assert.Error(t, err, "the test has ended")
	}
	_, err = io.Copy(io.Discard, out)
	require.NoError(t, err)
	assert.Error(t, cmd.Wait())
	assert.Equal(t, 130, cmd.ProcessState.ExitCode())
}
