//go:build !linux

package generation

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
)

// OfProcess is a word that tells nothing: that is done on Linux.
func OfProcess() *atomic.Uint64 { return new(atomic.Uint64) }

func mapPage(*os.File) ([]byte, error) {
	return nil, fmt.Errorf("not mapped: that is done on Linux, and this is %s", runtime.GOOS)
}
