// Moduleproxy writes this repository's modules, as they are in the working tree, into a folder
// that serves them as if they were published, at the version that they require of each
// other. It prints the settings with which a go command takes them from there:
//
//	go run ./internal/moduleproxy FOLDER
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/moduleproxy FOLDER")
		os.Exit(2)
	}
	settings, err := serve(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, s := range settings {
		fmt.Println(s)
	}
}

// ours is the root module's path, with which the paths of the other modules begin.
const ours = "github.com/ringuid/ringuid"

// serve packs each module that a release gives a version to, as it is in the working tree at
// root. It returns the settings with which a go command sees these modules as published.
func serve(root, folder string) (settings []string, err error) {
	version, err := required(root)
	if err != nil {
		return nil, err
	}
	script := exec.Command(filepath.Join(root, "scripts", "modules.sh"), "--tagged")
	out, err := script.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", script, err)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	for _, dir := range strings.Fields(string(out)) {
		err := pack(filepath.Join(folder, "proxy"), filepath.Join(root, dir), version)
		if err != nil {
			return nil, fmt.Errorf("packing the module in %s: %w", dir, err)
		}
	}
	return environment(folder)
}

// required returns the version that the modules require of each other.
func required(root string) (version string, err error) {
	text, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		return "", err
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return "", err
	}
	for _, r := range work.Replace {
		if r.Old.Path == ours {
			return r.Old.Version, nil
		}
	}
	return "", fmt.Errorf("go.work replaces no %s", ours)
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
