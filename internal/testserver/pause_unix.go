//go:build unix

package testserver

import "syscall"

// Pause stops the server in the middle of whatever it does, until Resume. Its
// connections stay open, and what is sent to it waits.
func (s *Server) Pause() {
	s.t.Helper()
	if err := s.proc.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		s.t.Fatalf("%s: pausing it: %v", s.kind.name, err)
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
	if err := s.proc.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		s.t.Fatalf("%s: resuming it: %v", s.kind.name, err)
	}
	s.paused = false
}
