package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// MySQL56 starts a server of MySQL 5.6, which forgets the counters of its tables
// when it is restarted: a user root who has no password, and an empty database
// test. It is the program of an npm package, which scripts/install-test-servers.sh
// puts into the user's cache folder.
func MySQL56(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "MySQL56",
		install: "scripts/install-test-servers.sh gets it by npm, on Linux on x86-64",
		find:    findMySQL56,
		prepare: prepareMySQL56,
		command: commandMySQL56,
		ready:   readyMariaDB,
		signal:  syscall.SIGTERM,
		dsn:     "root@tcp(%s)/test",
		url:     "mysql://root:@%s/test",
	}, options)
}

func findMySQL56() (string, bool) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", false
	}
	bin := filepath.Join(cache, "ringuid-testserver", "mysql-5.6", "package", "server", "mysqld")
	_, err = os.Stat(bin)
	return bin, err == nil
}

// prepareMySQL56 copies the package's data, which have been initialised.
func prepareMySQL56(s *Server) error {
	if err := copyDir(s.dataDir(), filepath.Join(filepath.Dir(s.bin), "data", "mysql")); err != nil {
		return err
	}
	first := "CREATE DATABASE IF NOT EXISTS test;\n"
	return os.WriteFile(filepath.Join(s.dir, "init.sql"), []byte(first), 0o600)
}

func commandMySQL56(s *Server) *exec.Cmd {
	flush := 0
	if s.durable {
		flush = 1
	}
	home := filepath.Dir(s.bin)
	args := []string{"--no-defaults", "--basedir=" + home, "--lc-messages-dir=" + filepath.Join(home, "share"),
		"--datadir=" + s.dataDir(), "--tmpdir=" + s.dir, "--bind-address=127.0.0.1", fmt.Sprint("--port=", s.port),
		"--socket=" + filepath.Join(s.dir, "s.sock"), "--pid-file=" + filepath.Join(s.dir, "pid"),
		"--init-file=" + filepath.Join(s.dir, "init.sql"),
		"--skip-name-resolve", "--innodb-buffer-pool-size=32M", fmt.Sprint("--innodb-flush-log-at-trx-commit=", flush)}
	cmd := exec.Command(s.bin, slices.Concat(args, asRoot(), s.args)...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+home) // its libaio
	return cmd
}
