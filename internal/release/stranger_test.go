package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/release/proxy"
)

const (
	module  = "github.com/ringuid/ringuid"
	version = "v0.1.0"
)

// stranger is somebody with an empty folder who gets our modules from a proxy.
type stranger struct {
	t   *testing.T
	dir string
	env []string
}

// release is this tree as a proxy gives it out, and what strangers get of it: one for
// all of them, for what takes the time is to unpack what others have published.
type release struct {
	paths []string // of the modules
	env   []string
}

var published *release

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "release")
	if err == nil {
		published, err = publish(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// publish fills the folder.
func publish(folder string) (*release, error) {
	paths, err := proxy.Write(filepath.Join(folder, "proxy"), "../..", version)
	if err != nil {
		return nil, err
	}
	usual, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, err
	}
	where := strings.Split(string(usual), "\n")
	return &release{paths, append(os.Environ(), "GOWORK=off",
		"GOPROXY=file://"+filepath.ToSlash(filepath.Join(folder, "proxy"))+",file://"+filepath.ToSlash(where[0])+"/cache/download,"+where[1],
		"GONOSUMDB="+module+","+module+"/*", "GOMODCACHE="+filepath.Join(folder, "modules"),
		"GOFLAGS=-modcacherw -trimpath", // so that what is built stays in Go's cache, wherever it was
		"GOBIN="+filepath.Join(folder, "bin"))}, nil
}

func arrive(t *testing.T) stranger {
	t.Parallel()
	return stranger{t, t.TempDir(), published.env}
}

// runs a command in the stranger's folder, and returns what it prints.
func (s stranger) runs(name string, args ...string) string {
	s.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = s.dir, s.env
	var errors bytes.Buffer
	c.Stderr = &errors
	out, err := c.Output()
	require.NoError(s.t, err, "%s\n%s", c, errors.String())
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

// uses is a package that a stranger has already.
type uses struct{ module, version, folder string }

var testify = uses{"github.com/stretchr/testify", "v1.8.4", "/assert"}

// Versions stay as they are, and go.sum grows by this module alone: with what one imports
// go mod tidy also writes down what that is tested with, and that is testify.
func TestWhoImportsUIDGetsUID(t *testing.T) {
	for name, has := range map[string][]uses{
		"who has testify alone": {testify},
		"who has older versions": {
			testify,
			{"github.com/go-sql-driver/mysql", "v1.7.1", ""},
			{"github.com/jackc/pgx/v5", "v5.7.1", ""},
			{"github.com/prometheus/client_golang", "v1.20.5", "/prometheus"},
			{"github.com/redis/go-redis/v9", "v9.7.0", ""},
			{"github.com/spf13/cobra", "v1.8.0", ""},
			{"google.golang.org/grpc", "v1.70.0", ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := arrive(t)
			mod, imports := "module example.org/shop\n\ngo 1.25.0\n\n", ""
			for _, u := range has {
				mod += "require " + u.module + " " + u.version + "\n"
				imports += "\t_ \"" + u.module + u.folder + "\"\n"
			}
			s.writes("go.mod", mod)
			s.writes("main.go", "package main\n\nimport (\n"+imports+")\n\nfunc main() {}\n")
			s.runs("go", "mod", "tidy")
			versions, sums := s.lines("go.mod"), s.lines("go.sum")

			s.writes("id.go", prints)
			s.writes("main.go", "package main\n\nimport (\n"+imports+")\n\nfunc main() { printID() }\n")
			s.runs("go", "get", module+"/uid@"+version)
			s.runs("go", "mod", "tidy")
			assert.Equal(t, "true <nil>\n", s.runs("go", "run", "."))

			more := slices.DeleteFunc(s.lines("go.mod"), func(line string) bool { return slices.Contains(versions, line) })
			assert.Equal(t, []string{module + " " + version}, more, "in go.mod")
			for _, line := range s.lines("go.sum") {
				if !slices.Contains(sums, line) {
					assert.Regexp(t, "^"+module+" ", line, "in go.sum")
				}
			}
		})
	}
}

// prints is a file of a program that imports uid.
const prints = `package main

import (
	"context"
	"fmt"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func printID() {
	gen, err := uid.NewCached(context.Background(), worker.Static(7), uid.Config{})
	if err != nil {
		panic(err)
	}
	defer gen.Close()
	id, err := gen.GetUID()
	fmt.Println(id > 0, err)
}
`

func TestTheCommandIsInstalledByItsName(t *testing.T) {
	s := arrive(t)
	s.runs("go", "install", module+"/cmd/uidbench@"+version)
	uidbench := filepath.Join(strings.TrimSpace(s.runs("go", "env", "GOBIN")), "uidbench")
	assert.Contains(t, s.runs(uidbench, "decode", "1"), "0001")
	assert.Contains(t, s.runs(uidbench, "--version"), version)
}

// A module that needs another one than it requires does not build by itself. That the
// command's does is seen when it is installed.
func TestEachModuleBuildsAlone(t *testing.T) {
	assert.Contains(t, published.paths, module+"/worker/redisstore")
	for _, path := range published.paths {
		if path == module+"/cmd/uidbench" {
			continue
		}
		t.Run(path, func(t *testing.T) {
			s := arrive(t)
			s.runs("go", "mod", "init", "example.org/shop")
			s.runs("go", "get", path+"/...@"+version)
			assert.Contains(t, s.runs("go", "list", path+"/..."), path)
			s.runs("go", "build", path+"/...")
		})
	}
}
