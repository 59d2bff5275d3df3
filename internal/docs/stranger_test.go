package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

func (n newcomer) writes(name, text string) {
	n.t.Helper()
	require.NoError(n.t, os.WriteFile(filepath.Join(n.dir, name), []byte(text), 0o644))
}

// release skips what downloads more than tests should.
func release(t *testing.T) {
	if os.Getenv("UID_RELEASE") == "" && os.Getenv("UID_TEST_REQUIRE") != "all" {
		t.Skip("make release-check runs this")
	}
}

// lines of a file; what is required is written the same by itself and in a block.
func (n newcomer) lines(name string) []string {
	n.t.Helper()
	text, err := os.ReadFile(filepath.Join(n.dir, name))
	require.NoError(n.t, err)
	var all []string
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.TrimSpace(strings.TrimPrefix(line, "require ")))
	}
	return all
}

// has are packages that the stranger's program has already, in versions that are older than
// those that we are tested with.
var has = []struct{ module, version, folder string }{
	{"github.com/stretchr/testify", "v1.8.4", "/assert"},
	{"github.com/go-sql-driver/mysql", "v1.7.1", ""},
	{"github.com/jackc/pgx/v5", "v5.7.1", ""},
	{"github.com/prometheus/client_golang", "v1.20.5", "/prometheus"},
	{"github.com/redis/go-redis/v9", "v9.7.0", ""},
	{"github.com/spf13/cobra", "v1.8.0", ""},
	{"google.golang.org/grpc", "v1.70.0", ""},
}

// Versions stay as they are, and go.sum grows by this module alone: with what one imports
// go mod tidy also writes down what that is tested with, and that is testify.
func TestWhoImportsUIDGetsUID(t *testing.T) {
	release(t)
	env, _ := published(t)
	n := newcomer{t, t.TempDir(), env}
	mod, imports := "module example.org/shop\n\ngo 1.26.0\n\n", ""
	for _, p := range has {
		mod += "require " + p.module + " " + p.version + "\n"
		imports += "import _ \"" + p.module + p.folder + "\"\n"
	}
	n.writes("go.mod", mod)
	n.writes("main.go", "package main\n\n"+imports+"\nfunc main() {}\n")
	n.runs("go mod tidy")
	versions, sums := n.lines("go.mod"), n.lines("go.sum")

	n.writes("id.go", "package main\n\nimport _ \""+ours+"/uid\"\n")
	n.runs("go get " + ours + "/uid@latest")
	n.runs("go mod tidy")
	n.runs("go vet .")

	more := slices.DeleteFunc(n.lines("go.mod"), func(line string) bool {
		return slices.Contains(versions, line)
	})
	require.Len(t, more, 1, "in go.mod: %s", more)
	assert.Contains(t, more[0], ours+" v")
	for _, line := range n.lines("go.sum") {
		if !slices.Contains(sums, line) {
			assert.Contains(t, line, ours+" v", "in go.sum")
		}
	}
}

func TestTheCommandsAreInstalledByTheirNames(t *testing.T) {
	release(t)
	env, version := published(t)
	n := newcomer{t, t.TempDir(), append(env, "GOBIN="+t.TempDir())}
	for _, name := range []string{"ringuid", "uidbench"} {
		n.runs("go install " + ours + "/cmd/" + name + "@latest")
		bin := strings.TrimSpace(n.runs("go env GOBIN"))
		assert.Contains(t, n.runs(filepath.Join(bin, name)+" --version"), version)
	}
}

// Built again, in another folder, programs are the same. The image takes them from there.
func TestTheFilesForDownload(t *testing.T) {
	release(t)
	script, err := filepath.Abs("../../scripts/release-files.sh")
	require.NoError(t, err)
	env, version := published(t)
	n := newcomer{t, t.TempDir(), env}
	n.runs(script + " " + version + " files")
	n.runs(script + " " + version + " again")
	for _, program := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64",
		"windows-amd64.exe", "windows-arm64.exe"} {
		n.runs("go version -m files/ringuid-" + program)
		n.runs("cmp files/ringuid-" + program + " again/ringuid-" + program)
	}
	assert.Contains(t, n.runs("files/ringuid-"+runtime.GOOS+"-"+runtime.GOARCH+" --version"), version)
	assert.Contains(t, n.runs("cat files/ringuid-darwin-arm64.cdx.json"), `"version": "`+version)
	n.dir = filepath.Join(n.dir, "files")
	n.runs("sha256sum -c SHA256SUMS")
	n.writes("Dockerfile", readPage(t, "Dockerfile").text)
	n.layout("linux/amd64")
	n.layout("linux/arm64")
}

// layout builds an image of the Dockerfile in a folder, as a folder too (an OCI layout).
// The base is left out: a static program finds all that it needs in what is copied.
func (n newcomer) layout(platform string) string {
	if _, err := exec.LookPath("buildah"); err != nil {
		testserver.Missing(n.t, "buildah", "apt-get install buildah")
	}
	out := n.t.TempDir()
	n.runs("buildah --root " + n.t.TempDir() + " --runroot " + n.t.TempDir() +
		" --storage-driver vfs build --isolation chroot --from scratch --platform " + platform +
		" --tag oci:" + out + " .")
	return out
}
