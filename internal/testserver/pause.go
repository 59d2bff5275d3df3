package testserver

import (
	"errors"
	"os"
	"testing"
)

// Pause stops a process in the middle of whatever it does, until [Resume]. Where the
// system cannot do that, the test is skipped.
func Pause(t testing.TB, p *os.Process) {
	t.Helper()
	err := pause(p)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system cannot pause a process")
	}
	if err != nil {
		t.Fatalf("pausing process %d: %v", p.Pid, err)
	}
}

// Resume lets a paused process go on.
func Resume(t testing.TB, p *os.Process) {
	t.Helper()
	if err := resume(p); err != nil {
		t.Fatalf("resuming process %d: %v", p.Pid, err)
	}
}

// Pause stops the server as [Pause] does. Its connections stay open, and what is sent to
// it waits.
func (s *Server) Pause() {
	s.t.Helper()
	Pause(s.t, s.proc.cmd.Process)
	s.paused = true
}

// Resume lets a paused server go on. It does nothing when the server is not
// paused.
func (s *Server) Resume() {
	s.t.Helper()
	if s.paused {
		Resume(s.t, s.proc.cmd.Process)
		s.paused = false
	}
}
