//go:build !unix

package subprocess

import (
	"errors"
	"os"
)

// CanPause reports whether this system can pause a process.
const CanPause = false

func pause(*os.Process) error  { return errors.ErrUnsupported }
func resume(*os.Process) error { return errors.ErrUnsupported }
