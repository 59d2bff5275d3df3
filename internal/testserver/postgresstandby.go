package testserver

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// PostgresStandby starts a standby of the server at the address primary, or of the
// one behind a proxy there. It begins as a copy, streams what follows under this
// name, answers queries, and may be promoted.
func PostgresStandby(t testing.TB, primary, name string, options ...Option) *Server {
	t.Helper()
	copied := postgres(func(s *Server) error { return copyPostgres(s, primary, name) })
	return starter(copied)(t, options...)
}

func copyPostgres(s *Server, primary, name string) error {
	if err := giveToNobody(s.dir); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(primary)
	if err != nil {
		return err
	}
	bin, err := filepath.EvalSymlinks(s.bin) // its neighbours may not be on PATH
	if err != nil {
		return err
	}
	program := filepath.Join(filepath.Dir(bin), "pg_basebackup")
	if _, err := os.Stat(program); err != nil {
		Missing(s.t, s.kind.name, "pg_basebackup, which comes with its client programs")
	}
	cmd := asNobody(program, "-D", s.dataDir(), "-R", "--checkpoint=fast", "--no-sync", "-d",
		fmt.Sprintf("host=%s port=%s user=postgres dbname=postgres application_name=%s", host, port,
			name))
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	return nil
}
