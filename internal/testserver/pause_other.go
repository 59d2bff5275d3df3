//go:build !unix

package testserver

// Pause skips the test: this system cannot pause a process.
func (s *Server) Pause() {
	s.t.Helper()
	s.t.Skip("this system cannot pause a server")
}

// Resume does nothing.
func (*Server) Resume() {}
