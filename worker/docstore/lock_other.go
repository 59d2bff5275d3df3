//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package docstore

import (
	"errors"
	"os"
)

func lock(f *os.File) (locked bool, err error) {
	return false, &os.PathError{Op: "flock", Path: f.Name(), Err: errors.ErrUnsupported}
}
