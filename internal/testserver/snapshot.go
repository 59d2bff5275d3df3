package testserver

import (
	"os"
	"path/filepath"
)

// Snapshot copies the data of a stopped server. The function that it returns puts the data
// back, when the server is stopped again, as if a backup were restored.
func (s *Server) Snapshot() (restore func()) {
	s.t.Helper()
	kept := filepath.Join(TempDir(s.t), "data")
	if err := copyDir(kept, s.dataDir()); err != nil {
		s.t.Fatalf("%s: keeping its data: %v", s.kind.name, err)
	}
	return func() {
		s.t.Helper()
		err := os.RemoveAll(s.dataDir())
		if err == nil {
			err = copyDir(s.dataDir(), kept)
		}
		if err == nil && s.kind.name == "PostgreSQL" {
			err = giveToNobody(s.dataDir())
		}
		if err != nil {
			s.t.Fatalf("%s: restoring its data: %v", s.kind.name, err)
		}
	}
}
