package testserver

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// dataDir returns the folder that a database was initialised in.
func (s *Server) dataDir() string { return filepath.Join(s.dir, "data") }

// fillData makes the server's data folder. Initialising a database takes a second, copying it a
// tenth, so the first test keeps a copy in the user's cache folder for all tests that follow.
// recipe is what the content depends on besides the program itself.
func (s *Server) fillData(recipe string, initialise func() error) error {
	if program, err := os.Stat(s.bin); err == nil {
		recipe = fmt.Sprint(s.bin, program.Size(), program.ModTime(), recipe)
	}
	sum := sha256.Sum256([]byte(recipe))
	kept := filepath.Join(cache(), fmt.Sprintf("%s-%x", s.kind.name, sum[:8]))
	if _, err := os.Stat(kept); err == nil {
		return copyDir(s.dataDir(), kept)
	}
	if err := initialise(); err != nil {
		return err
	}
	keep(kept, s.dataDir())
	return nil
}

// cache is the user's folder for what takes long to make.
func cache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "ringuid-testserver")
}

// keep copies data to kept, all or nothing. A copy that fails costs the next
// test a second, nothing else.
func keep(kept, data string) {
	parent := filepath.Dir(kept)
	if os.MkdirAll(parent, 0o700) != nil {
		return
	}
	half, err := os.MkdirTemp(parent, "half")
	if err != nil {
		return
	}
	defer os.RemoveAll(half)
	if copyDir(filepath.Join(half, "data"), data) == nil {
		_ = os.Rename(filepath.Join(half, "data"), kept) // an error means that another process was first
	}
}

// copyDir copies a folder to a new one that only its owner may read, as PostgreSQL demands.
func copyDir(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return os.Chmod(to, 0o700)
}
