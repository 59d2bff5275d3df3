// Package generation maps a word that changes when the machine is copied.
package generation

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"unsafe"
)

// What is read of VMClock's page, as Linux's include/uapi/linux/vmclock-abi.h has it.
const (
	magic      = 0x4b4c4356
	versionAt  = 8 // of 16 bits
	version    = 1
	markerAt   = 16 // disruption_marker, which changes at a live migration, too
	flagsAt    = 24
	hasCounter = 1 << 8
	counterAt  = 104 // vm_generation_counter
	clockSize  = 112

	wordSize = 8 // of a file that is the word
)

// Map maps the word in a file of eight bytes or in a VMClock page. copies is false where it changes
// at live migrations, too.
func Map(path string) (word *atomic.Uint64, copies bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	head := make([]byte, clockSize)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	at, copies, err := find(head[:n])
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	page, err := mapPage(f)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	return (*atomic.Uint64)(unsafe.Pointer(&page[at])), copies, nil
}

// find returns where the word lies in what a file begins with.
func find(head []byte) (at int, copies bool, err error) {
	switch {
	case len(head) == wordSize:
		return 0, true, nil
	case len(head) < clockSize || binary.LittleEndian.Uint32(head) != magic:
		return 0, false, errors.New("this is neither a file of 8 bytes nor a VMClock page")
	case binary.LittleEndian.Uint16(head[versionAt:]) != version:
		return 0, false, fmt.Errorf("this is version %d of VMClock, not %d",
			binary.LittleEndian.Uint16(head[versionAt:]), version)
	case binary.LittleEndian.Uint64(head[flagsAt:])&hasCounter != 0:
		return counterAt, true, nil
	}
	return markerAt, false, nil
}
