package testserver

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Redis starts a server without a password.
func Redis(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "Redis",
		install: "apt-get install redis-server, or brew install redis",
		find:    finder("redis-server"),
		command: commandRedis,
		ready:   question{text: "PING\r\n", answer: `^(\+PONG|-NOAUTH)`}, // NOAUTH: it serves too
		url:     "redis://%s/0",
	}, options)
}

func commandRedis(s *Server) *exec.Cmd {
	args := []string{"--port", fmt.Sprint(s.port), "--bind", "127.0.0.1", "--dir", s.dir,
		"--daemonize", "no"}
	if s.durable {
		args = append(args, "--save", "", "--appendonly", "yes", "--appendfsync", "always",
			"--appenddirname", filepath.Base(s.dataDir()))
	} else {
		// With any save point at all, the server saves when it is stopped.
		args = append(args, "--save", "3600 1", "--appendonly", "no")
	}
	if slices.Contains(s.args, "--cluster-enabled") {
		// Otherwise it is the port 10,000 above, which is not claimed.
		args = append(args, "--cluster-port", fmt.Sprint(s.peer))
	}
	return exec.Command(s.bin, append(args, s.args...)...)
}
