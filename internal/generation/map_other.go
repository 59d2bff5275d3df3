//go:build !linux

package generation

import (
	"fmt"
	"os"
	"runtime"
)

func mapPage(*os.File) ([]byte, error) {
	return nil, fmt.Errorf("not mapped: that is done on Linux, and this is %s", runtime.GOOS)
}
