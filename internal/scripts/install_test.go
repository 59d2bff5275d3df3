// Package scripts tests the scripts that a newcomer meets first.
package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// fakeSudo plays apt-get and dpkg: the first installation loses its archives, which leaves
// dpkg half done until it is repaired, in this order. With $WORLD/dead nothing helps.
const fakeSudo = `#!/usr/bin/env bash
cd "$WORLD" || exit
echo "$*" >>calls
case "$*" in
  tee*) cat >/dev/null ;;
  rm*) rm -r tmp/* ;;
  *--configure*) rm unconfigured; touch configured ;;
  *--fix-broken) [ ! -e configured ] || rm broken ;;
  *install*)
    ls -d tmp/*/partial >>partial
    if [ ! -e tried ]; then touch tried broken unconfigured; fi
    if [ -e broken ] || [ -e dead ]; then echo "E: an archive is gone"; exit 100; fi
    touch bin/promtool; chmod +x bin/promtool ;;
esac
`

// installServers runs the script where next to nothing is installed.
func installServers(t *testing.T, world string) (says string, err error) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is for a Unix shell")
	}
	bin := filepath.Join(world, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(world, "tmp"), 0o700))
	for _, name := range strings.Fields("bash env cat chmod grep ls mkdir mktemp rm touch tr uname") {
		path, err := exec.LookPath(name)
		if err != nil {
			testserver.Missing(t, name, "apt-get install "+name)
		}
		require.NoError(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	for name, text := range map[string]string{
		"sudo": fakeSudo, "id": "#!/usr/bin/env bash\necho 1000\n", "apt-get": "", "sleep": "",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700))
	}
	script, err := filepath.Abs("../../scripts/install-test-servers.sh")
	require.NoError(t, err)
	require.FileExists(t, script) // so that go test knows when it has changed
	cmd := exec.Command(script)
	cmd.Env = []string{"PATH=" + bin, "WORLD=" + world, "HOME=" + world,
		"TMPDIR=" + filepath.Join(world, "tmp")}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestAnInstallationThatWasCutShortIsRepaired(t *testing.T) {
	world := testserver.TempDir(t)
	says, err := installServers(t, world)
	require.NoError(t, err, says)
	assert.Contains(t, says, "try 2 of 4")
	assert.NotContains(t, says, "try 3 of 4")
	assert.NotContains(t, says, "missing: promtool")

	calls, err := os.ReadFile(filepath.Join(world, "calls"))
	require.NoError(t, err)
	for call := range strings.Lines(string(calls)) {
		if strings.Contains(call, " apt-get ") {
			archives := `Dir::Cache::archives=` + regexp.QuoteMeta(world) + `/tmp/\S+ `
			assert.Regexp(t, archives+`-o DPkg::Lock::Timeout=\d+ `, call)
		}
	}
	partial, err := os.ReadFile(filepath.Join(world, "partial"))
	require.NoError(t, err)
	assert.Len(t, strings.Fields(string(partial)), 2, "a folder of its own for each installation")
	left, err := os.ReadDir(filepath.Join(world, "tmp"))
	require.NoError(t, err)
	assert.Empty(t, left, "archives")
}

func TestAnInstallationThatCannotBeRepairedSaysWhatToType(t *testing.T) {
	world := testserver.TempDir(t)
	require.NoError(t, os.WriteFile(filepath.Join(world, "dead"), nil, 0o600))
	says, err := installServers(t, world)
	require.Error(t, err)
	assert.Regexp(t, `(?s)apt-get failed 4 times.*
  sudo dpkg --configure -a
  sudo apt-get install --fix-broken
  sudo apt-get update
  sudo apt-get install --no-install-recommends .*\bprometheus\b`, says)
}
