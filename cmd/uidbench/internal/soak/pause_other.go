//go:build !unix

package soak

import (
	"errors"
	"os"
)

// canPause reports whether this system can pause a process.
const canPause = false

func pause(*os.Process) error  { return errors.ErrUnsupported }
func resume(*os.Process) error { return errors.ErrUnsupported }
