package testserver

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// PgBouncer starts a pooler in front of the PostgreSQL at an address, or of the one
// behind a proxy there, for the user postgres. Args are lines of its configuration,
// such as pool_mode = transaction.
func PgBouncer(t testing.TB, postgres string, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "pgbouncer",
		install: "apt-get install pgbouncer, or brew install pgbouncer",
		find:    findPgBouncer,
		prepare: func(s *Server) error { return preparePgBouncer(s, postgres) },
		command: commandPgBouncer,
		ready:   readyPostgres, // which it says when it has reached the server
		signal:  syscall.SIGQUIT,
		dsn:     "postgres://postgres@%s/postgres?sslmode=disable",
		url:     "postgres://postgres@%s/postgres?sslmode=disable",
	}, options)
}

var findPgBouncer = finder("pgbouncer", "/usr/sbin/pgbouncer")

// PgBouncerPrepares says whether the pooler can keep statements that its clients have
// prepared, as it does from version 1.21, and knows the setting max_prepared_statements.
func PgBouncerPrepares() bool {
	bin, ok := findPgBouncer()
	if !ok {
		return false
	}
	var major, minor int
	text, err := exec.Command(bin, "--version").Output()
	if err == nil {
		_, err = fmt.Sscanf(string(text), "PgBouncer %d.%d", &major, &minor)
	}
	return err == nil && (major > 1 || minor >= 21)
}

func preparePgBouncer(s *Server, postgres string) error {
	host, port, err := net.SplitHostPort(postgres)
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.pgBouncerUsers(), []byte("\"postgres\" \"\"\n"), 0o600); err != nil {
		return err
	}
	lines := append([]string{
		"[databases]",
		fmt.Sprintf("* = host=%s port=%s", host, port),
		"[pgbouncer]",
		"listen_addr = 127.0.0.1",
		fmt.Sprint("listen_port = ", s.port),
		"unix_socket_dir =",
		"auth_type = trust",
		"auth_file = " + s.pgBouncerUsers(),
		"max_client_conn = 1000",
		"server_login_retry = 1", // a server that was away may be back
	}, s.args...)
	if err := os.WriteFile(s.pgBouncerIni(), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return err
	}
	return giveToNobody(s.dir) // it refuses to run as root
}

func (s *Server) pgBouncerUsers() string { return filepath.Join(s.dir, "users.txt") }
func (s *Server) pgBouncerIni() string   { return filepath.Join(s.dir, "pgbouncer.ini") }

func commandPgBouncer(s *Server) *exec.Cmd {
	cmd := exec.Command(s.bin, s.pgBouncerIni())
	if err := runAsNobody(cmd); err != nil {
		cmd.Err = err // Start reports it
	}
	return cmd
}
