package generation

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

var process struct {
	sync.Mutex
	word  *atomic.Uint64
	forks uint64
}

// OfProcess returns a word that is never the same in a process that was forked, as C and Python do
// with a library that is written in Go. If the kernel is before 4.14, it is.
func OfProcess() *atomic.Uint64 {
	p := &process
	p.Lock()
	defer p.Unlock()
	if p.word == nil {
		p.word = new(atomic.Uint64)
		const wipeOnFork = 18 // MADV_WIPEONFORK
		page, err := syscall.Mmap(-1, 0, os.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_PRIVATE|syscall.MAP_ANON)
		if err == nil && syscall.Madvise(page, wipeOnFork) == nil {
			p.word = (*atomic.Uint64)(unsafe.Pointer(&page[0]))
		}
	}
	if p.word.Load() == 0 { // it is the first, or this is a child
		p.forks++
		p.word.Store(p.forks)
	}
	return p.word
}
