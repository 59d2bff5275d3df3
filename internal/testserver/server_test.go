package testserver

import (
	"bufio"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var all = map[string]func(testing.TB, ...Option) *Server{
	"MariaDB":    MariaDB,
	"MySQL":      MySQL,
	"PostgreSQL": Postgres,
	"Redis":      Redis,
	"ZooKeeper":  ZooKeeper,
	"etcd":       Etcd,
}

func TestStopAndStart(t *testing.T) {
	for name, startServer := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t)
			require.NoError(t, s.Ping())
			addr := s.Addr()
			assert.Contains(t, s.DSN(), addr)
			assert.Contains(t, s.URL(), addr)

			s.Start() // runs already
			s.Stop()
			require.Error(t, s.Ping(), "stopped")
			s.Stop()

			s.Start()
			require.NoError(t, s.Ping(), "started again")
			assert.Equal(t, addr, s.Addr())
		})
	}
}

func TestKillAndStart(t *testing.T) {
	for name, startServer := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t, Durable())
			s.Kill()
			require.Error(t, s.Ping(), "killed")
			s.Kill()

			s.Start()
			require.NoError(t, s.Ping(), "started again")
		})
	}
}

func TestEachServerHasItsOwnData(t *testing.T) {
	a, b := Redis(t), Redis(t)
	assert.NotEqual(t, a.Addr(), b.Addr())
	assert.Equal(t, "+OK", redisSays(t, a.Addr(), "SET k 1"))
	assert.Equal(t, "$-1", redisSays(t, b.Addr(), "GET k"))
}

func TestDataOutlivesStop(t *testing.T) {
	s := Redis(t)
	require.Equal(t, "+OK", redisSays(t, s.Addr(), "SET k 1"))
	s.Stop()
	s.Start()
	assert.Equal(t, "$1", redisSays(t, s.Addr(), "GET k"))
}

func TestDurableDataOutlivesKill(t *testing.T) {
	s := Redis(t, Durable())
	require.Equal(t, "+OK", redisSays(t, s.Addr(), "SET k 1"))
	s.Kill()
	s.Start()
	assert.Equal(t, "$1", redisSays(t, s.Addr(), "GET k"))
}

func TestArgs(t *testing.T) {
	s := Redis(t, Args("--requirepass", "secret"))
	assert.Contains(t, redisSays(t, s.Addr(), "PING"), "NOAUTH")
}

func TestServerThatCannotStart(t *testing.T) {
	s := Redis(t)
	s.Stop()
	s.args = append(s.args, "--no-such-option", "1")
	err := s.launch()
	require.ErrorContains(t, err, "it ended")
	assert.Contains(t, s.log(), "no-such-option")
}

func TestClaimedPortsDiffer(t *testing.T) {
	seen := map[int]bool{}
	for range 50 {
		port := claimPort(t)
		assert.False(t, seen[port], "port %d twice", port)
		seen[port] = true
	}
}

func TestFinderTakesTheNewest(t *testing.T) {
	t.Setenv("UID_TEST_SERVERS", "")
	dir := t.TempDir()
	for _, version := range []string{"13", "15"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, version, "bin"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, version, "bin", "prog"), nil, 0o700))
	}
	bin, ok := finder("no-such-program-anywhere", filepath.Join(dir, "*", "bin", "prog"))()
	assert.True(t, ok)
	assert.Equal(t, filepath.Join(dir, "15", "bin", "prog"), bin)

	_, ok = finder("no-such-program-anywhere", filepath.Join(dir, "*", "none"))()
	assert.False(t, ok)
}

// redisSays sends a command and returns the first line of the answer.
func redisSays(t *testing.T, addr, command string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer c.Close()
	_, err = c.Write([]byte(command + "\r\n"))
	require.NoError(t, err)
	line, err := bufio.NewReader(c).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}
