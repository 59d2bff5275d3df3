package testserver

// Pause stops the server in the middle of whatever it does, until Resume. Its connections
// stay open, and what is sent to it waits.
func (s *Server) Pause() {
	s.t.Helper()
	if err := s.proc.Pause(); err != nil {
		s.t.Fatalf("pausing %s: %v", s.kind.name, err)
	}
	s.paused = true
}

// Resume lets a paused server continue. It does nothing if the server is not paused.
func (s *Server) Resume() {
	s.t.Helper()
	if !s.paused {
		return
	}
	if err := s.proc.Resume(); err != nil {
		s.t.Fatalf("resuming %s: %v", s.kind.name, err)
	}
	s.paused = false
}
