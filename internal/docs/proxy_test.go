package docs

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// ours is the root module's path, with which the paths of the other modules begin.
const ours = "github.com/ringuid/ringuid"

// published is the environment of a go command that takes the modules of this tree, as they are,
// for published ones, at the version that they require of each other. Those are what go.work
// replaces.
func published(t *testing.T) (env []string, version string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.work"))
	require.NoError(t, err)
	work, err := modfile.ParseWork("go.work", text, nil)
	require.NoError(t, err)
	folder := t.TempDir()
	for _, r := range work.Replace {
		version = r.Old.Version
		dir := filepath.Join(root, filepath.FromSlash(r.New.Path))
		require.NoError(t, pack(filepath.Join(folder, "proxy"), dir, version), dir)
	}
	settings, err := environment(folder)
	require.NoError(t, err)
	return append(os.Environ(), settings...), version
}

// environment returns settings with a module cache of their own, because what is served under a
// version differs each time; the usual cache has what others have published. Builds leave out
// paths, so that each is built once.
func environment(folder string) ([]string, error) {
	usual, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, err
	}
	cache, proxy, _ := strings.Cut(strings.TrimSpace(string(usual)), "\n")
	served, fetched := filepath.Join(folder, "proxy"), filepath.Join(cache, "cache", "download")
	return []string{
		"GOWORK=off",
		"GOPROXY=file://" + filepath.ToSlash(served) + ",file://" + filepath.ToSlash(fetched) +
			"," + proxy,
		"GONOSUMDB=" + ours + "," + ours + "/*",
		"GOMODCACHE=" + filepath.Join(folder, "modules"),
		"GOFLAGS=" + strings.TrimSpace("-modcacherw -trimpath "+os.Getenv("GOFLAGS")),
	}, nil
}

// pack writes the files that https://go.dev/ref/mod#goproxy-protocol asks for.
func pack(folder, dir, version string) error {
	gomod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	path := modfile.ModulePath(gomod)
	if path == "" {
		return errors.New("go.mod names no module")
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	if err != nil {
		return err
	}
	versions := filepath.Join(folder, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": info,
		version + ".mod":  gomod,
	} {
		if err := os.WriteFile(filepath.Join(versions, name), content, 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(versions, version+".zip"))
	if err != nil {
		return err
	}
	of := module.Version{Path: path, Version: version}
	return errors.Join(zip.CreateFromDir(f, of, dir), f.Close())
}
