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
	return start(t, postgres(func(s *Server) error { return copyPostgres(s, primary, name) }), options)
}

func copyPostgres(s *Server, primary, name string) error {
	if err := giveToNobody(s.dir); err != nil {
		return err
	}
	return s.postgresTool("pg_basebackup", "-D", s.dataDir(), "-R", "--checkpoint=fast", "--no-sync",
		"-d", postgresConnInfo(primary, name))
}

// postgresConnInfo is what a standby of this name has as its primary_conninfo.
func postgresConnInfo(primary, name string) string {
	host, port, err := net.SplitHostPort(primary)
	if err != nil {
		host, port = primary, "5432"
	}
	return fmt.Sprintf("host=%s port=%s user=postgres dbname=postgres application_name=%s", host, port,
		name)
}

// postgresTool runs a program that comes with the server, as the server's user.
func (s *Server) postgresTool(name string, args ...string) error {
	s.t.Helper()
	bin, err := filepath.EvalSymlinks(s.bin) // its neighbours may not be on PATH
	if err != nil {
		return err
	}
	program := filepath.Join(filepath.Dir(bin), name)
	if _, err := os.Stat(program); err != nil {
		Missing(s.t, s.kind.name, name+", which comes with its client programs")
	}
	cmd := asNobody(program, args...)
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}
