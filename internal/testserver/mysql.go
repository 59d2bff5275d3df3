package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// MySQL starts a server with a user root who has no password, and an empty
// database test. It writes a binary log, as MySQL does by default.
func MySQL(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kindMySQL(), options)
}

func kindMySQL() kind {
	return kind{
		name: "MySQL",
		install: "make test-current unpacks it beside the system on Debian; or " +
			"https://dev.mysql.com/downloads, or brew install mysql",
		find:    findMySQL,
		prepare: prepareMySQL,
		command: commandMySQL,
		ready:   readyMariaDB,
		signal:  syscall.SIGTERM,
		dsn:     "root@tcp(%s)/test",
		url:     "mysql://root:@%s/test",
	}
}

// findMySQL passes over the mysqld that MariaDB brings on Debian.
func findMySQL() (string, bool) {
	if bin, ok, only := appointed("mysqld"); only {
		return bin, ok
	}
	var candidates []string
	if path, err := exec.LookPath("mysqld"); err == nil {
		candidates = append(candidates, path)
	}
	for _, bin := range append(candidates, "/usr/sbin/mysqld", "/usr/local/mysql/bin/mysqld") {
		version, err := exec.Command(bin, "--version").Output()
		if err == nil && !strings.Contains(string(version), "MariaDB") {
			return bin, true
		}
	}
	return "", false
}

// whoIsRoot lets root in by TCP. It is for the first start alone: a replica executes
// nothing of its own.
const whoIsRoot = `CREATE DATABASE test;
CREATE USER root@'%';
GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;
`

func prepareMySQL(s *Server) error {
	return s.fillData(whoIsRoot+strings.Join(littleMySQL, " "), func() error {
		first := filepath.Join(s.dir, "init.sql")
		if err := os.WriteFile(first, []byte(whoIsRoot), 0o600); err != nil {
			return err
		}
		args := slices.Concat(s.mysqlArgs(), []string{"--initialize-insecure", "--init-file=" + first})
		if out, err := exec.Command(s.bin, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("mysqld --initialize-insecure: %w\n%s", err, out)
		}
		// Its name, server_uuid. Each copy finds one of its own.
		return os.Remove(filepath.Join(s.dataDir(), "auto.cnf"))
	})
}

// littleMySQL keeps memory and files small.
var littleMySQL = []string{"--innodb-buffer-pool-size=32M", "--innodb-redo-log-capacity=8M",
	"--max-connections=200", "--table-open-cache=400"}

// mysqlArgs are those of every start.
func (s *Server) mysqlArgs() []string {
	args := []string{"--no-defaults", s.basedir(), "--datadir=" + s.dataDir(), "--tmpdir=" + s.dir,
		"--secure-file-priv=NULL", "--mysqlx=OFF"}
	args = slices.Concat(args, littleMySQL, asRoot())
	// One that is not where it was built to be has its other files below basedir.
	home := strings.TrimPrefix(s.basedir(), "--basedir=")
	for name, folder := range map[string]string{
		"--lc-messages-dir": "share/mysql", "--character-sets-dir": "share/mysql/charsets",
		"--plugin-dir": "lib/mysql/plugin",
	} {
		if path := filepath.Join(home, folder); isFolder(path) {
			args = append(args, name+"="+path)
		}
	}
	return args
}

func isFolder(path string) bool {
	is, err := os.Stat(path)
	return err == nil && is.IsDir()
}

func commandMySQL(s *Server) *exec.Cmd {
	flush := 0
	if s.durable {
		flush = 1
	}
	args := append(s.mysqlArgs(), "--bind-address=127.0.0.1", fmt.Sprint("--port=", s.port),
		"--socket="+filepath.Join(s.dir, "s.sock"), "--pid-file="+filepath.Join(s.dir, "pid"),
		"--skip-name-resolve",
		fmt.Sprint("--innodb-flush-log-at-trx-commit=", flush), fmt.Sprint("--sync-binlog=", flush))
	return exec.Command(s.bin, append(args, s.args...)...)
}
