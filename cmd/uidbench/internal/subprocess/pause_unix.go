//go:build unix

package subprocess

import (
	"os"
	"syscall"
)

// CanPause reports whether this system can pause a process.
const CanPause = true

func pause(p *os.Process) error  { return p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
