//go:build !unix

package soak

import (
	"errors"
	"os"
)

const canPause = false

func pause(*os.Process) error  { return errors.ErrUnsupported }
func resume(*os.Process) error { return errors.ErrUnsupported }
