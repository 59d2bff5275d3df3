//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package flock

import (
	"errors"
	"os"
)

func Lock(f *os.File) (locked bool, err error) {
	return false, &os.PathError{Op: "flock", Path: f.Name(), Err: errors.ErrUnsupported}
}
