package testserver

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// MariaDB starts a server with a user root who has no password, and an empty
// database test.
func MariaDB(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "MariaDB",
		install: "apt-get install mariadb-server, or brew install mariadb",
		find:    finder("mariadbd", "/usr/sbin/mariadbd", "/usr/local/sbin/mariadbd"),
		prepare: prepareMariaDB,
		command: commandMariaDB,
		ready:   readyMariaDB,
		signal:  syscall.SIGTERM,
		dsn:     "root@tcp(%s)/test",
		url:     "mysql://root:@%s/test",
	}, options)
}

func prepareMariaDB(s *Server) error {
	// Run at each start, before the server takes connections.
	first := "CREATE DATABASE IF NOT EXISTS test;\n"
	if err := os.WriteFile(filepath.Join(s.dir, "init.sql"), []byte(first), 0o600); err != nil {
		return err
	}
	args := []string{"--no-defaults", "--auth-root-authentication-method=normal",
		"--skip-test-db", "--innodb-log-file-size=4M"}
	return s.fillData(strings.Join(args, " "), func() error {
		args := slices.Concat(args, asRoot(), []string{s.basedir(), "--datadir=" + s.dataDir()})
		program, _ := finder("mariadb-install-db")()
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("mariadb-install-db: %w\n%s", err, out)
		}
		return nil
	})
}

func commandMariaDB(s *Server) *exec.Cmd {
	flush := 0
	if s.durable {
		flush = 1
	}
	args := []string{"--no-defaults", s.basedir(), "--datadir=" + s.dataDir(),
		"--bind-address=127.0.0.1", fmt.Sprint("--port=", s.port),
		"--socket=" + filepath.Join(s.dir, "s.sock"), "--pid-file=" + filepath.Join(s.dir, "pid"),
		"--init-file=" + filepath.Join(s.dir, "init.sql"),
		"--tmpdir=" + s.dir, // a server that starts empties it of tables, others' too
		"--skip-name-resolve", "--innodb-buffer-pool-size=32M",
		fmt.Sprint("--innodb-flush-log-at-trx-commit=", flush)}
	return exec.Command(s.bin, slices.Concat(args, asRoot(), s.args)...)
}

// basedir is where its other files are: beside the program, which need not be installed.
func (s *Server) basedir() string {
	bin, err := filepath.EvalSymlinks(s.bin)
	if err != nil {
		bin = s.bin // to start it will say what is wrong
	}
	return "--basedir=" + filepath.Dir(filepath.Dir(bin))
}

// asRoot is what MariaDB wants to hear before it runs as root.
func asRoot() []string {
	if os.Geteuid() != 0 {
		return nil
	}
	return []string{"--user=root"}
}

// readyMariaDB reads the greeting: a packet of at least five bytes whose first,
// after the header of four, is the protocol's version, or 0xff for an error.
func readyMariaDB(c net.Conn) error {
	var head [5]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return err
	}
	if head[4] != 10 {
		return fmt.Errorf("it greets with %#x", head)
	}
	return nil
}
