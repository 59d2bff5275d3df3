package testserver

import (
	"os/exec"
	"strconv"
)

// Pause stops the server in the middle of whatever it does, until Resume. Its connections
// stay open, and what is sent to it waits.
func (s *Server) Pause() {
	s.t.Helper()
	s.signal("-STOP")
	s.paused = true
}

// Resume lets a paused server go on. It does nothing when the server is not
// paused.
func (s *Server) Resume() {
	s.t.Helper()
	if !s.paused {
		return
	}
	s.signal("-CONT")
	s.paused = false
}

// signal sends one that not all systems have.
func (s *Server) signal(signal string) {
	s.t.Helper()
	pid := strconv.Itoa(s.proc.cmd.Process.Pid)
	if out, err := exec.Command("kill", signal, pid).CombinedOutput(); err != nil {
		s.t.Fatalf("kill %s %s: %v\n%s", signal, s.kind.name, err, out)
	}
}
