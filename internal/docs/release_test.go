package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// releasable is a repository that scripts/release-check.sh finds nothing wrong with: a
// root, a module that is tagged with it, and one that is not.
type releasable struct {
	t   *testing.T
	dir string
}

func newReleasable(t *testing.T) releasable {
	if runtime.GOOS == "windows" {
		t.Skip("the script is for a Unix shell")
	}
	for _, name := range []string{"bash", "git", "make"} {
		if _, err := exec.LookPath(name); err != nil {
			testserver.Missing(t, name, "apt-get install "+name)
		}
	}
	r := releasable{t, testserver.TempDir(t)}
	for _, name := range []string{"modules.sh", "release-check.sh"} {
		script, err := os.ReadFile(filepath.Join(root, "scripts", name))
		require.NoError(t, err)
		r.write("scripts/"+name, string(script))
	}
	for _, module := range []string{"", "/metrics", "/tools"} {
		r.write(module+"/go.mod", "module example.org/there"+module+"\n\ngo 1.25.0\n")
		r.write(module+"/there.go", "package there\n")
	}
	r.write("scripts/tidy.sh", "#!/bin/sh\n[ ! -e untidy ]\n")
	r.write("Makefile", "lint:\n\t@echo lint\n")
	r.write("CHANGELOG.md", "## Unreleased\n\n## v0.2.0 - 2026-12-01\n\n- something\n\n## v0.1.0 - 2026-11-01\n\n- the first\n\n## v0.3.0\n\n- no date\n\n## v0.4.0 - 2026-12-02\n")
	r.git("init", "-q")
	r.commit()
	r.git("tag", "v0.1.0")
	return r
}

func (r releasable) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.t, os.WriteFile(path, []byte(text), 0o755))
}

func (r releasable) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "git %v\n%s", args, out)
}

func (r releasable) commit() {
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

// check runs the script, and returns what it exits with and all it says.
func (r releasable) check(args ...string) (code int, said string) {
	r.t.Helper()
	cmd := exec.Command(filepath.Join(r.dir, "scripts", "release-check.sh"), args...)
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=")
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		require.NoError(r.t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (r releasable) refuses(version string, code int, because string) {
	r.t.Helper()
	got, said := r.check(version)
	assert.Equal(r.t, code, got, "%s\n%s", version, said)
	assert.Contains(r.t, said, because, version)
	assert.NotContains(r.t, said, "git push", version)
}

func TestAReleaseIsChecked(t *testing.T) {
	r := newReleasable(t)
	code, said := r.check("v0.2.0")
	require.Zero(t, code, said)
	assert.Contains(t, said, `
git tag -a metrics/v0.2.0 -m 'metrics/v0.2.0'
git push --atomic origin v0.2.0 metrics/v0.2.0
`)
	assert.NotContains(t, said, "tools/v0.2.0", "the tools are not tagged")

	r.refuses("", 2, "make release-check VERSION=v0.2.0")
	for _, version := range []string{"0.2.0", "v0.2", "v0.2.0.1", "v01.2.0", "v0.2.0 "} {
		r.refuses(version, 2, "is no version")
	}
	r.refuses("v2.0.0", 2, "/v2")
	r.refuses("v0.1.0", 1, "there is a tag v0.1.0 already")
	r.refuses("v0.3.0", 1, "has no date")
	r.refuses("v0.4.0", 1, "says nothing about v0.4.0")
	r.refuses("v0.5.0", 1, "has no section of v0.5.0")
	r.git("tag", "metrics/v0.2.0")
	r.refuses("v0.2.0", 1, "there is a tag metrics/v0.2.0 already")
	r.git("tag", "-d", "metrics/v0.2.0")

	origin := filepath.Join(testserver.TempDir(t), "origin")
	r.git("clone", "-q", "--bare", ".", origin)
	r.git("remote", "add", "origin", origin)
	r.git("push", "-q", "origin", "HEAD:refs/tags/metrics/v0.2.0")
	r.refuses("v0.2.0", 1, "there is a tag metrics/v0.2.0 already")
	r.git("remote", "set-url", "origin", origin+"-gone")
	r.refuses("v0.2.0", 1, "origin does not tell its tags")
}

func TestAReleaseOfWhatIsNotReadyIsRefused(t *testing.T) {
	for because, change := range map[string]func(releasable){
		"the tree is not clean": func(r releasable) { r.write("new.go", "package there\n") },
		"a module is not tidy":  func(r releasable) { r.write("untidy", ""); r.commit() },
		"metrics requires example.org/there v0.1.0": func(r releasable) {
			r.write("metrics/go.mod", "module example.org/there/metrics\n\ngo 1.25.0\n\nrequire (\n\texample.org/there v0.1.0\n)\n")
			r.commit()
		},
		"make lint fails":                    func(r releasable) { r.write("Makefile", "lint:\n\tfalse\n"); r.commit() },
		"these checks have changed the tree": func(r releasable) { r.write("Makefile", "lint:\n\ttouch new\n"); r.commit() },
	} {
		t.Run(because, func(t *testing.T) {
			t.Parallel()
			r := newReleasable(t)
			change(r)
			r.refuses("v0.2.0", 1, because)
		})
	}
}
