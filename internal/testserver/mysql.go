package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// MariaDB starts a server with a user root that has no password, and an empty database test.
var MariaDB = starter(mysql(kind{
	name:    "MariaDB",
	install: "apt-get install mariadb-server, or brew install mariadb",
	find:    finder("mariadbd", "/usr/sbin/mariadbd", "/usr/local/sbin/mariadbd"),
	prepare: prepareMariaDB,
	args: func(s *Server) []string {
		return s.mysqlArgs("--init-file="+filepath.Join(s.dir, "init.sql"),
			"--innodb-buffer-pool-size=32M", "--aria-pagecache-buffer-size=1M")
	},
}))

// MySQL starts a server with a user root that has no password, and an empty database test. It
// writes a binary log, as MySQL does by default.
var MySQL = starter(mysql(kind{
	name: "MySQL",
	install: "make test-current unpacks it beside the system on Debian; or " +
		"https://dev.mysql.com/downloads, or brew install mysql",
	find:    findMySQL,
	prepare: prepareMySQL,
	args:    func(s *Server) []string { return s.mysqlArgs(s.onlyMySQL()...) },
}))

// mysql adds what MariaDB and MySQL have in common.
func mysql(k kind) kind {
	k.durable = []string{"--innodb-flush-log-at-trx-commit=1", "--sync-binlog=1"}
	k.fast = []string{"--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0"}
	// The greeting is a packet whose first byte, after the header of four, is the protocol's
	// version, or 0xff for an error.
	k.ready = question{answer: `(?s)^.{4}\x0a`}
	k.dsn, k.url = "root@tcp(%s)/test", "mysql://root:@%s/test"
	return k
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
		args := slices.Concat(args, asRoot(), []string{"--basedir=" + s.basedir(),
			"--datadir=" + s.dataDir()})
		program, _ := finder("mariadb-install-db")()
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("mariadb-install-db: %w\n%s", err, out)
		}
		return nil
	})
}

// findMySQL finds MySQL's mysqld, and skips the one that comes with MariaDB on Debian.
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

// whoIsRoot lets root connect over TCP. It is only for the first start: a replica executes
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
		args := slices.Concat(s.firstArgs(), s.onlyMySQL(), []string{"--tmpdir=" + s.dir,
			"--initialize-insecure", "--init-file=" + first})
		if out, err := exec.Command(s.bin, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("mysqld --initialize-insecure: %w\n%s", err, out)
		}
		// The file has the server's name, server_uuid. Each copy makes a new one.
		return os.Remove(filepath.Join(s.dataDir(), "auto.cnf"))
	})
}

// littleMySQL keeps memory and files small.
var littleMySQL = []string{"--innodb-buffer-pool-size=32M", "--innodb-redo-log-capacity=8M",
	"--max-connections=200", "--table-open-cache=400"}

// onlyMySQL returns the arguments of every start of MySQL that MariaDB does not have.
func (s *Server) onlyMySQL() []string {
	args := append([]string{"--secure-file-priv=NULL", "--mysqlx=OFF"}, littleMySQL...)
	// A MySQL that is not where it was built to be has its other files below basedir.
	for name, folder := range map[string]string{
		"--lc-messages-dir": "share/mysql", "--character-sets-dir": "share/mysql/charsets",
		"--plugin-dir": "lib/mysql/plugin",
	} {
		path := filepath.Join(s.basedir(), folder)
		if is, err := os.Stat(path); err == nil && is.IsDir() {
			args = append(args, name+"="+path)
		}
	}
	return args
}

// mysqlArgs returns the arguments that run a MySQL or a MariaDB.
func (s *Server) mysqlArgs(more ...string) []string {
	return slices.Concat(s.firstArgs(), []string{
		"--bind-address=127.0.0.1", fmt.Sprint("--port=", s.port),
		"--socket=" + filepath.Join(s.dir, "s.sock"), "--pid-file=" + filepath.Join(s.dir, "pid"),
		"--tmpdir=" + s.dir, // a server that starts deletes the tables in it, even of other servers
		"--skip-name-resolve",
		"--key-buffer-size=1M", // of MyISAM; it is written to at the start
	}, more)
}

// firstArgs returns the arguments of every start, including the first.
func (s *Server) firstArgs() []string {
	return append([]string{"--no-defaults", "--basedir=" + s.basedir(), "--datadir=" + s.dataDir()},
		asRoot()...)
}

// basedir returns where the other files are: beside the program, which need not be installed.
func (s *Server) basedir() string {
	bin, err := filepath.EvalSymlinks(s.bin)
	if err != nil {
		bin = s.bin // starting it will show what is wrong
	}
	return filepath.Dir(filepath.Dir(bin))
}

// asRoot returns the arguments without which both refuse to run as root.
func asRoot() []string {
	if os.Geteuid() != 0 {
		return nil
	}
	return []string{"--user=root"}
}
