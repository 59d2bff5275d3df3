//go:build unix

package child

import "syscall"

// CanPause reports whether this system can pause a process.
const CanPause = true

// Pause stops the process in the middle of whatever it does, until Resume.
func (p *Process) Pause() error { return p.Cmd.Process.Signal(syscall.SIGSTOP) }

// Resume lets a paused process continue.
func (p *Process) Resume() error { return p.Cmd.Process.Signal(syscall.SIGCONT) }
