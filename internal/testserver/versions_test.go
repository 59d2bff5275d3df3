package testserver

import (
	"database/sql"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program may load something older than what lies beside it, so those that run are
// asked. Those of UID_TEST_SERVERS are what scripts/current-servers.sh wrote down.
func TestVersions(t *testing.T) {
	written := versionsOfFolder(t)
	for name, ask := range map[string]struct {
		answer  func(*testing.T) string
		version string // a pattern
	}{
		"MariaDB": {func(t *testing.T) string { return selectVersion(t, MariaDB(t)) },
			`^([\d.]+)-MariaDB`},
		// with Debian's, as 9.7.4-2
		"MySQL":      {func(t *testing.T) string { return selectVersion(t, MySQL(t)) }, `^([^M]+)$`},
		"PostgreSQL": {versionOfPostgres, `^PostgreSQL ([\d.]+)`},
		"Redis": {func(t *testing.T) string { return says(t, Redis(t), "INFO server\r\nQUIT\r\n") },
			`redis_version:(\S+)`},
		"ZooKeeper": {func(t *testing.T) string { return says(t, ZooKeeper(t), "srvr") },
			`Zookeeper version: ([\d.]+)`},
		"etcd": {func(t *testing.T) string {
			return says(t, Etcd(t),
				"GET /version HTTP/1.0\r\n\r\n")
		}, `"etcdserver":"([\d.]+)"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := ask.answer(t)
			if valkey := `valkey_version:(\S+)`; regexp.MustCompile(valkey).MatchString(text) {
				name, ask.version = "Valkey", valkey // its redis_version is one that it is compatible with
			}
			found := regexp.MustCompile(ask.version).FindStringSubmatch(text)
			require.NotNil(t, found, text)
			t.Log(name, found[1])
			if written != nil {
				assert.Equal(t, written[name], found[1], name)
			}
		})
	}
}

// versionsOfFolder are the versions by the names of the servers, or nil.
func versionsOfFolder(t *testing.T) map[string]string {
	folders := filepath.SplitList(os.Getenv("UID_TEST_SERVERS"))
	if len(folders) == 0 {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(folders[0]), "versions"))
	require.NoError(t, err)
	written := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		written[name] = version
	}
	return written
}

func selectVersion(t *testing.T, s *Server) (text string) {
	db, err := sql.Open("mysql", s.DSN())
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.QueryRow("SELECT VERSION()").Scan(&text))
	return text
}

func versionOfPostgres(t *testing.T) string {
	s := Postgres(t)
	psql, found := finder("psql", "/usr/lib/postgresql/*/bin/psql", "/usr/pgsql-*/bin/psql")()
	require.True(t, found, "PostgreSQL is here without psql")
	text, err := exec.Command(psql, "-At", "-c", "SELECT version()", s.DSN()).Output()
	require.NoError(t, err)
	return string(text)
}

// says is the answer to a question after which the server hangs up.
func says(t *testing.T, s *Server, question string) string {
	c, err := net.Dial("tcp", s.Addr())
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(c, question)
	require.NoError(t, err)
	text, err := io.ReadAll(c)
	require.NoError(t, err)
	return string(text)
}

// Where folders are named, no other place counts.
func TestServersOfNamedFoldersAlone(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(one, "a"), filepath.Join(two, "a"),
		filepath.Join(two, "b")} {
		require.NoError(t, os.WriteFile(file, nil, 0o700))
	}
	t.Setenv("UID_TEST_SERVERS", one+string(filepath.ListSeparator)+two)
	for program, folder := range map[string]string{"a": one, "b": two, "go": ""} {
		path, ok := finder(program, filepath.Join(two, "*"))()
		assert.Equal(t, folder != "", ok, program)
		if ok {
			assert.Equal(t, filepath.Join(folder, program), path)
		}
	}
	_, ok := findZooKeeper()
	assert.False(t, ok)
}
