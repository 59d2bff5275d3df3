package testserver

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// RedisSentinel starts a sentinel that watches the primary at an address under a
// name; so many of its kind must agree that it is down. settings are lines of its
// configuration without the word sentinel and the name: "down-after-milliseconds
// 500".
func RedisSentinel(t testing.TB, name, primary string, quorum int, settings ...string) *Server {
	t.Helper()
	k := redis()
	k.prepare = func(s *Server) error {
		host, port, err := net.SplitHostPort(primary)
		if err != nil {
			return err
		}
		lines := []string{fmt.Sprintf("sentinel monitor %s %s %s %d", name, host, port, quorum)}
		for _, setting := range settings {
			key, value, _ := strings.Cut(setting, " ")
			lines = append(lines, fmt.Sprintf("sentinel %s %s %s", key, name, value))
		}
		return os.WriteFile(s.sentinelConf(), []byte(strings.Join(lines, "\n")+"\n"), 0o600)
	}
	k.command = func(s *Server) *exec.Cmd {
		args := []string{s.sentinelConf(), "--sentinel", "--port", fmt.Sprint(s.port), "--bind", "127.0.0.1", "--dir", s.dir}
		return exec.Command(s.bin, append(args, s.args...)...)
	}
	return start(t, k, nil)
}

// sentinelConf is where a sentinel keeps what it was told and what it found out.
func (s *Server) sentinelConf() string { return filepath.Join(s.dir, "sentinel.conf") }
