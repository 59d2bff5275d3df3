//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package docstore

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, and returns false if another process has locked it.
func lock(f *os.File) (locked bool, err error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case nil:
			return true, nil
		case syscall.EWOULDBLOCK:
			return false, nil
		case syscall.EINTR:
		default:
			return false, &os.PathError{Op: "flock", Path: f.Name(), Err: err}
		}
	}
}
