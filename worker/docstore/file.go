package docstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// File returns a store in a folder on a local disk, for the processes of one machine. They must be
// allowed to write there; the folder is made if its parent is there. It needs flock, which Linux,
// macOS and the BSDs have; elsewhere, as on Windows, Check returns an error.
func File(dir string) store.Store {
	return New(func(part int) Document {
		return file(filepath.Join(dir, fmt.Sprintf("%02d", part)))
	}, Options{})
}

// file is the path of a Document. Its tag is a hash of it.
type file string

func (f file) Load(context.Context) (s Snapshot, err error) {
	s = Snapshot{Shown: time.Now().Round(0), Grain: time.Microsecond}
	in, err := os.Open(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	} else if err != nil {
		return s, explainFile(err)
	}
	defer in.Close()
	s.Value, err = io.ReadAll(io.LimitReader(in, MaxValue+1))
	hash := sha256.Sum256(s.Value)
	s.Tag = hex.EncodeToString(hash[:])
	return s, explainFile(err)
}

// Save writes another file beside it, which takes its place. Both are on the disk before it
// returns.
func (f file) Save(ctx context.Context, value []byte, tag string) (saved bool, err error) {
	dir := filepath.Dir(string(f))
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, explainFile(err)
	}
	locked, err := os.OpenFile(string(f)+".lock", os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return false, explainFile(err)
	}
	defer locked.Close() // which unlocks it
	if free, err := lock(locked); !free || err != nil {
		return false, explainFile(err)
	}
	if is, err := f.Load(ctx); err != nil || is.Tag != tag {
		return false, err
	}
	if err := write(string(f)+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, value); err != nil {
		return false, explainFile(err)
	}
	if err := os.Rename(string(f)+".new", string(f)); err != nil {
		return false, explainFile(err)
	}
	return true, explainFile(write(dir, os.O_RDONLY, nil)) // the folder has the new name
}

// write writes a value, if there is one, and has the system put all that it knows of path on the
// disk.
func write(path string, flag int, value []byte) error {
	out, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return err
	}
	if value != nil {
		_, err = out.Write(value)
	}
	return errors.Join(err, out.Sync(), out.Close())
}

func explainFile(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w: let this process write in the folder", store.ErrDenied, err)
	case errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("%w: %w: this system has no flock: use another store", store.ErrStore, err)
	}
	return err
}
