package generation

import (
	"os"
	"syscall"
)

// mapPage maps the first page of a file, for as long as the process lives.
func mapPage(f *os.File) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
}
