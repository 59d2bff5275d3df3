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
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/flock"
	"github.com/ringuid/ringuid/worker/store"
)

// File returns a store in a folder on a local disk, for the processes of one machine. They must be
// allowed to read and write there; the folder is made if its parent is there. It needs flock, which
// Linux, macOS and the BSDs have; elsewhere, as on Windows, Check returns an error.
func File(dir string) store.Store {
	saving := new(sync.Mutex)
	return New(func(part int) Document {
		return file{dir, fmt.Sprintf("%02d", part), saving}
	}, Options{})
}

// file is a Document in a folder. Its tag is a hash of it.
type file struct {
	dir, name string
	saving    *sync.Mutex // waiting here takes less time than to be refused
}

func (f file) Load(context.Context) (Snapshot, error) {
	return snapshot(os.Open, filepath.Join(f.dir, f.name))
}

func snapshot(open func(name string) (*os.File, error), name string) (s Snapshot, err error) {
	s = Snapshot{Shown: time.Now().Round(0), Grain: time.Microsecond}
	in, err := open(name)
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

// Save locks the folder, and writes another file there, which takes the document's place. Both are
// on the disk before it returns. If people delete or move the folder meanwhile, nothing is written
// in the one that others make anew.
func (f file) Save(_ context.Context, value []byte, tag string) (saved bool, err error) {
	f.saving.Lock()
	defer f.saving.Unlock()
	if err := os.Mkdir(f.dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, explainFile(err)
	}
	if kind := flock.Foreign(f.dir); kind != "" {
		return false, fmt.Errorf("%w: %s is on %s, where another machine or sandbox does not see its "+
			"locks: take a folder of a local disk, or another store", store.ErrStore, f.dir, kind)
	}
	dir, err := os.OpenRoot(f.dir)
	if err != nil {
		return false, explainFile(err)
	}
	defer dir.Close()
	locked, err := dir.Open(".")
	if err != nil {
		return false, explainFile(err)
	}
	defer locked.Close() // which unlocks it
	if free, err := flock.Lock(locked); !free || err != nil {
		return false, explainFile(err)
	}
	if is, err := snapshot(dir.Open, f.name); err != nil || is.Tag != tag {
		return false, err
	}
	if err = write(dir, f.name+".new", value); err == nil {
		err = dir.Rename(f.name+".new", f.name)
	}
	return err == nil, explainFile(errors.Join(err, locked.Sync())) // the folder has the new name
}

// write writes a file, and has the system put all that it knows of it on the disk. One that a
// process left, which was killed here, may be another user's.
func write(dir *os.Root, name string, value []byte) error {
	_ = dir.Remove(name)
	out, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = out.Write(value)
	return errors.Join(err, out.Sync(), out.Close())
}

func explainFile(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w: let this process read and write in the folder", store.ErrDenied, err)
	case errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("%w: %w: this system has no flock: use another store", store.ErrStore, err)
	}
	return err
}
