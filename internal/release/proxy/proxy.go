// Package proxy writes this repository's modules into a folder that the go command takes
// for a module proxy (GOPROXY=file://FOLDER), so that a version which is not published yet
// can be required, installed and tidied as one that is.
package proxy

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

// Write packs each module that a release gives a version to, as it is in the working
// tree at root, and returns their paths.
func Write(folder, root, version string) (paths []string, err error) {
	script := exec.Command(filepath.Join(root, "scripts", "modules.sh"), "--tagged")
	out, err := script.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", script, err)
	}
	for _, dir := range strings.Fields(string(out)) {
		path, err := pack(folder, filepath.Join(root, dir), version)
		if err != nil {
			return nil, fmt.Errorf("packing the module in %s: %w", dir, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// pack writes what https://go.dev/ref/mod#goproxy-protocol asks for.
func pack(folder, dir, version string) (path string, err error) {
	gomod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	if path = modfile.ModulePath(gomod); path == "" {
		return "", errors.New("go.mod names no module")
	}
	escaped, err := module.EscapePath(path)
	if err != nil {
		return "", err
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	if err != nil {
		return "", err
	}
	versions := filepath.Join(folder, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		return "", err
	}
	for name, content := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": info,
		version + ".mod":  gomod,
	} {
		if err := os.WriteFile(filepath.Join(versions, name), content, 0o644); err != nil {
			return "", err
		}
	}
	return path, zipped(filepath.Join(versions, version+".zip"), module.Version{Path: path, Version: version}, dir)
}

func zipped(file string, m module.Version, dir string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return zip.CreateFromDir(f, m, dir)
}
