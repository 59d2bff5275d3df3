// Package scripts tests the script that a newcomer meets first.
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
)

// fakeSudo plays apt-get and dpkg: the first installation loses its archives, which leaves
// dpkg half done until it is repaired, in this order.
const fakeSudo = `#!/usr/bin/env bash
cd "$WORLD" || exit
case "$*" in
  tee*) cat >/dev/null ;;
  rm*) rm -r tmp/* ;;
  *--configure*) rm unconfigured; touch configured ;;
  *--fix-broken) [ ! -e configured ] || rm broken ;;
  *install*)
    ls -d tmp/*/partial >>partial
    if [ ! -e tried ]; then touch tried broken unconfigured; fi
    if [ -e broken ]; then echo "E: an archive is gone"; exit 100; fi
    touch bin/promtool; chmod +x bin/promtool ;;
esac
`

func TestAnInstallationThatWasCutShortIsRepaired(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is for a Unix shell")
	}
	world := t.TempDir()
	bin := filepath.Join(world, "bin")
	require.NoError(t, os.Mkdir(bin, 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(world, "tmp"), 0o700))
	for _, name := range strings.Fields("bash env cat chmod grep ls mkdir mktemp rm touch") {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
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
	cmd.Env = []string{"PATH=" + bin, "WORLD=" + world, "TMPDIR=" + filepath.Join(world, "tmp")}
	says, err := cmd.CombinedOutput()
	require.NoError(t, err, string(says))
	assert.Contains(t, string(says), "failed 1 times")
	assert.NotContains(t, string(says), "failed 2 times")
	assert.Contains(t, string(says), "promtool", "it is there now")

	partial, err := os.ReadFile(filepath.Join(world, "partial"))
	require.NoError(t, err)
	assert.Len(t, strings.Fields(string(partial)), 2, "a folder of its own for the archives")
	left, err := os.ReadDir(filepath.Join(world, "tmp"))
	require.NoError(t, err)
	assert.Empty(t, left, "archives")
}
