package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stranger is somebody with an empty folder who gets our modules from a proxy.
type stranger struct {
	t   *testing.T
	dir string
	env []string
}

func arrive(t *testing.T) stranger {
	t.Helper()
	folder := t.TempDir()
	settings, err := serve("../..", folder)
	require.NoError(t, err)
	settings = append(settings, "GOBIN="+filepath.Join(folder, "bin"))
	return stranger{t, t.TempDir(), append(os.Environ(), settings...)}
}

// runs a command in the stranger's folder, and returns what it prints.
func (s stranger) runs(name string, args ...string) string {
	s.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = s.dir, s.env
	var errors strings.Builder
	c.Stderr = &errors
	out, err := c.Output()
	require.NoError(s.t, err, "%s\n%s", c, &errors)
	return string(out)
}

func (s stranger) writes(name, text string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644))
}

// lines of a file; what is required is written the same by itself and in a block.
func (s stranger) lines(name string) []string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	require.NoError(s.t, err)
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
	s := arrive(t)
	mod, imports := "module example.org/shop\n\ngo 1.26.0\n\n", ""
	for _, p := range has {
		mod += "require " + p.module + " " + p.version + "\n"
		imports += "import _ \"" + p.module + p.folder + "\"\n"
	}
	s.writes("go.mod", mod)
	s.writes("main.go", "package main\n\n"+imports+"\nfunc main() {}\n")
	s.runs("go", "mod", "tidy")
	versions, sums := s.lines("go.mod"), s.lines("go.sum")

	s.writes("id.go", "package main\n\nimport _ \""+ours+"/uid\"\n")
	s.runs("go", "get", ours+"/uid@latest")
	s.runs("go", "mod", "tidy")
	s.runs("go", "vet", ".")

	more := slices.DeleteFunc(s.lines("go.mod"), func(line string) bool {
		return slices.Contains(versions, line)
	})
	require.Len(t, more, 1, "in go.mod: %s", more)
	assert.Contains(t, more[0], ours+" v")
	for _, line := range s.lines("go.sum") {
		if !slices.Contains(sums, line) {
			assert.Contains(t, line, ours+" v", "in go.sum")
		}
	}
}

func TestTheCommandsAreInstalledByTheirNames(t *testing.T) {
	s := arrive(t)
	version, err := required("../..")
	require.NoError(t, err)
	for _, name := range []string{"ringuid", "uidbench"} {
		s.runs("go", "install", ours+"/cmd/"+name+"@latest")
		command := filepath.Join(strings.TrimSpace(s.runs("go", "env", "GOBIN")), name)
		assert.Contains(t, s.runs(command, "--version"), version)
	}
}
