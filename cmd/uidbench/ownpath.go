package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// ownPath is the SQLite file that uidbench keeps worker ids in when it is told no
// other: in the folder where the system wants programs to keep what is not to be
// lost and not to be edited.
func ownPath() (string, error) {
	dir, err := stateDir()
	if err != nil {
		return "", fmt.Errorf(
			"no folder to keep worker ids in: %w; choose a file with --store sqlite:PATH", err)
	}
	return filepath.Join(dir, "ringuid", "worker.db"), nil
}

func stateDir() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%
	case "darwin", "ios":
		return os.UserConfigDir() // ~/Library/Application Support
	}
	// https://specifications.freedesktop.org/basedir-spec: a relative path there
	// is to be ignored.
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}
