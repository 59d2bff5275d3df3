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
	// https://specifications.freedesktop.org/basedir-spec: a relative path there is to be ignored.
	dir, err := os.Getenv("XDG_STATE_HOME"), error(nil)
	switch {
	case runtime.GOOS == "windows":
		dir, err = os.UserCacheDir() // %LocalAppData%
	case runtime.GOOS == "darwin" || runtime.GOOS == "ios":
		dir, err = os.UserConfigDir() // ~/Library/Application Support
	case !filepath.IsAbs(dir):
		dir, err = os.UserHomeDir()
		dir = filepath.Join(dir, ".local", "state")
	}
	if err != nil {
		return "", fmt.Errorf(
			"no folder to keep worker ids in: %w; choose a file with --store sqlite:PATH", err)
	}
	return filepath.Join(dir, "ringuid", "worker.db"), nil
}
