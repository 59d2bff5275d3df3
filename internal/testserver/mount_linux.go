package testserver

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// Mounted calls do where mount has mounted something, which do's goroutine alone sees.
func Mounted(t testing.TB, kind string, mount func() error, do func()) {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // which ends with this goroutine, and its mounts
		if err = syscall.Unshare(syscall.CLONE_NEWNS); err == nil {
			err = syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
		}
		if err == nil {
			err = mount()
		}
		if err == nil {
			do()
		}
	}()
	if <-done; err != nil {
		Missing(t, "mount", "the right to mount "+kind+": "+err.Error())
	}
}

// OnFUSE calls do with a folder that is another user's mount of FUSE, of which do's goroutine sees
// the kind alone: nobody serves it.
func OnFUSE(t testing.TB, do func(dir string)) {
	dir := TempDir(t)
	Mounted(t, "FUSE", func() error {
		device, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
		if err != nil {
			return err
		}
		t.Cleanup(func() { device.Close() })
		return syscall.Mount("test", dir, "fuse", 0, fmt.Sprintf(
			"fd=%d,rootmode=40000,user_id=65534,group_id=65534", device.Fd()))
	}, func() { do(dir) })
}
