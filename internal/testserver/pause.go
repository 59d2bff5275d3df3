package testserver

import "errors"

// Pause stops the server in the middle of whatever it does, until Resume. Its connections
// stay open, and what is sent to it waits. Where the system cannot do that, the test is
// skipped.
func (s *Server) Pause() {
	s.t.Helper()
	err := pause(s.proc.cmd.Process)
	if errors.Is(err, errors.ErrUnsupported) {
		s.t.Skip("this system cannot pause a process")
	}
	if err != nil {
		s.t.Fatalf("pausing %s: %v", s.kind.name, err)
	}
	s.paused = true
}

// Resume lets a paused server go on. It does nothing when the server is not
// paused.
func (s *Server) Resume() {
	s.t.Helper()
	if !s.paused {
		return
	}
	if err := resume(s.proc.cmd.Process); err != nil {
		s.t.Fatalf("resuming %s: %v", s.kind.name, err)
	}
	s.paused = false
}
