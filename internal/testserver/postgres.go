package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Postgres starts a server with a user and a database postgres. That user needs no password;
// any other does.
var Postgres = starter(postgres(preparePostgres))

func postgres(prepare func(*Server) error) kind {
	return kind{
		name:    "PostgreSQL",
		install: "apt-get install postgresql, or brew install postgresql",
		find:    finder("postgres", "/usr/lib/postgresql/*/bin/postgres", "/usr/pgsql-*/bin/postgres"),
		prepare: prepare,
		args: func(s *Server) []string {
			return []string{"-D", s.dataDir(), "-h", "127.0.0.1", "-p", fmt.Sprint(s.port), "-k", s.dir,
				"-c", "max_connections=200",
				"-c", "dynamic_shared_memory_type=mmap"} // in its folder, else a killed server leaves it behind
		},
		fast:   []string{"-c", "fsync=off"},
		run:    asNobody,
		ready:  readyPostgres,
		signal: syscall.SIGINT, // does not wait for its clients to disconnect
		url:    "postgres://postgres@%s/postgres?sslmode=disable",
	}
}

const whoMayConnect = `
host all,replication postgres 127.0.0.1/32 trust
host all all      127.0.0.1/32 scram-sha-256
`

func preparePostgres(s *Server) error {
	if err := giveToNobody(s.dir); err != nil {
		return err
	}
	args := []string{"-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"}
	err := s.fillData(strings.Join(args, " "), func() error {
		initdb := asNobody(filepath.Join(filepath.Dir(s.bin), "initdb"),
			append(args, "-D", s.dataDir())...)
		initdb.Dir = s.dir
		if out, err := initdb.CombinedOutput(); err != nil {
			return fmt.Errorf("initdb: %w\n%s", err, out)
		}
		return nil
	})
	if err != nil {
		return err
	}
	hba := filepath.Join(s.dataDir(), "pg_hba.conf")
	if err := os.WriteFile(hba, []byte(whoMayConnect), 0o600); err != nil {
		return err
	}
	return giveToNobody(s.dir)
}

// asNobody returns a command for PostgreSQL's programs, which refuse to run as root. A test
// that runs as root, in a container for example, has the user nobody run them.
func asNobody(program string, args ...string) *exec.Cmd {
	if os.Geteuid() != 0 {
		return exec.Command(program, args...)
	}
	return exec.Command("setpriv", append([]string{"--reuid=nobody", "--regid=65534",
		"--clear-groups", "--pdeathsig=KILL", // again, since changing the user clears it
		program}, args...)...)
}

func giveToNobody(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return exec.Command("chown", "-R", "nobody", dir).Run()
}

// readyPostgres asks to log in, in protocol version 3.0. It expects R (authentication), not E
// (starting up, recovering, full).
var readyPostgres = question{
	text:   "\x00\x00\x00\x29\x00\x03\x00\x00user\x00postgres\x00database\x00postgres\x00\x00",
	answer: "^R",
}
