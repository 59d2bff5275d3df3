package testserver

import (
	"bufio"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Redis starts a server without a password.
func Redis(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "Redis",
		install: "apt-get install redis-server, or brew install redis",
		find:    finder("redis-server"),
		prepare: func(*Server) error { return nil },
		command: commandRedis,
		ready:   readyRedis,
		signal:  syscall.SIGTERM,
		dsn:     "%s",
		url:     "redis://%s/0",
	}, options)
}

func commandRedis(s *Server) *exec.Cmd {
	args := []string{"--port", fmt.Sprint(s.port), "--bind", "127.0.0.1", "--dir", s.dir,
		"--daemonize", "no"}
	if s.durable {
		args = append(args, "--save", "", "--appendonly", "yes", "--appendfsync", "always")
	} else {
		// Any save point at all has the server save when it is stopped.
		args = append(args, "--save", "3600 1", "--appendonly", "no")
	}
	if slices.Contains(s.args, "--cluster-enabled") {
		// Else it is the port 10,000 above, which nobody has claimed.
		args = append(args, "--cluster-port", fmt.Sprint(s.peer))
	}
	return exec.Command(s.bin, append(args, s.args...)...)
}

func readyRedis(c net.Conn) error {
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err
	}
	// A server that wants a password serves too.
	if !strings.HasPrefix(answer, "+PONG") && !strings.HasPrefix(answer, "-NOAUTH") {
		return fmt.Errorf("it answers %q", answer)
	}
	return nil
}
