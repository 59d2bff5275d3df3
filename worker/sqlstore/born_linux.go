package sqlstore

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// statxNumber is the number of the system call statx, which package syscall does not define on
// all architectures.
var statxNumber = map[string]uintptr{"amd64": 332, "arm64": 291, "riscv64": 291, "loong64": 291}

// born is when a file was created, or empty if the file system does not record it, and whether it
// may be in another folder, too: by a second link, or since it is mounted itself.
func born(path string) (at string, twice bool) {
	const (
		here       = -100   // AT_FDCWD
		made       = 0x800  // STATX_BTIME
		root       = 0x2000 // STATX_ATTR_MOUNT_ROOT, since Linux 5.8
		mask       = 0      // indices of the buffer's words, see man 2 statx
		attributes = 1
		links      = 16 / 8
		seconds    = 80 / 8
		nanos      = 88 / 8
	)
	number, known := statxNumber[runtime.GOARCH]
	name, err := syscall.BytePtrFromString(path)
	if !known || err != nil {
		return "", false
	}
	var buffer [256 / 8]uint64
	directory := here
	_, _, errno := syscall.Syscall6(number, uintptr(directory), uintptr(unsafe.Pointer(name)), 0, made,
		uintptr(unsafe.Pointer(&buffer[0])), 0)
	if errno != 0 {
		return "", false
	}
	if buffer[mask]&made != 0 {
		at = fmt.Sprintf(":%d.%d", buffer[seconds], uint32(buffer[nanos]))
	}
	return at, buffer[attributes]&root != 0 || uint32(buffer[links]) > 1
}
