//go:build !unix

package child

import "errors"

// CanPause reports whether this system can pause a process.
const CanPause = false

// Pause and Resume are not supported here.
func (p *Process) Pause() error  { return errors.ErrUnsupported }
func (p *Process) Resume() error { return errors.ErrUnsupported }
