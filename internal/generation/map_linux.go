package generation

import (
	"fmt"
	"os"
	"syscall"
)

const overlayfs = 0x794c7630 // of statfs

// mapPage maps the first page of a file, for as long as the process lives. overlayfs, as of
// containers, puts a copy in the place of an image's file when that is first opened for writing:
// then a page that was mapped before shows the old number for ever.
func mapPage(f *os.File) ([]byte, error) {
	var fs syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &fs); err == nil && uint32(fs.Type) == overlayfs {
		copied, err := os.OpenFile(f.Name(), os.O_WRONLY, 0)
		if err == nil {
			copied.Close()
			f, err = os.Open(f.Name())
		}
		if err != nil {
			return nil, fmt.Errorf("on overlayfs what is written later may be another file: let this "+
				"process open it for writing, or put it on a volume: %w", err)
		}
		defer f.Close()
	}
	return syscall.Mmap(int(f.Fd()), 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
}
