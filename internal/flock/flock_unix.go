//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

// Package flock locks files and folders.
package flock

import (
	"os"
	"syscall"
)

// Lock locks a file or folder until it is closed, and returns false if another process has it
// locked.
func Lock(f *os.File) (locked bool, err error) {
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
