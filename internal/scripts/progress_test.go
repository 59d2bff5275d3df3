// Package scripts tests the script by which all other tests are run.
package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
}

// testScript is scripts/test.sh on these.
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
	script, err := filepath.Abs("../../scripts/test.sh")
	require.NoError(t, err)
	require.FileExists(t, script) // so that go test knows when it has changed
	require.FileExists(t, strings.TrimSuffix(script, "sh")+"awk")
	cmd := exec.Command(script, strings.Fields(args)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"))
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
