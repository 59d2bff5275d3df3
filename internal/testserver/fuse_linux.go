package testserver

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// OnFUSE calls do with a folder that is another user's mount of FUSE, of which do's goroutine sees
// the kind alone: nobody serves it.
func OnFUSE(t testing.TB, do func(dir string)) {
	dir, why := TempDir(t), error(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // which ends with this goroutine, and its mounts
		device, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
		if err == nil {
			defer device.Close()
			err = syscall.Unshare(syscall.CLONE_NEWNS)
		}
		if err == nil {
			err = syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
		}
		if err == nil {
			err = syscall.Mount("test", dir, "fuse", 0, fmt.Sprintf(
				"fd=%d,rootmode=40000,user_id=65534,group_id=65534", device.Fd()))
		}
		if why = err; err == nil {
			do(dir)
		}
	}()
	if <-done; why != nil {
		Missing(t, "mount", "the right to mount FUSE: "+why.Error())
	}
}
