package testserver

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"syscall"
	"testing"
)

// Etcd starts a cluster of one member, without authentication.
func Etcd(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "etcd",
		install: "apt-get install etcd-server, or brew install etcd",
		find:    finder("etcd"),
		prepare: func(*Server) error { return nil },
		command: commandEtcd,
		ready:   readyEtcd,
		signal:  syscall.SIGTERM,
		dsn:     "http://%s",
		url:     "etcd://%s/ringuid",
	}, options)
}

func commandEtcd(s *Server) *exec.Cmd {
	client, peer := "http://"+s.Addr(), fmt.Sprintf("http://127.0.0.1:%d", s.peer)
	args := []string{"--name=t", "--data-dir=" + s.dataDir(),
		"--listen-client-urls=" + client, "--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=t=" + peer,
		"--logger=zap", "--log-level=error",
		// A cluster of one has nobody to wait for.
		"--heartbeat-interval=10", "--election-timeout=50"}
	if !s.durable {
		args = append(args, "--unsafe-no-fsync")
	}
	return exec.Command(s.bin, append(args, s.args...)...)
}

// readyEtcd wants a healthy cluster: one that has a leader and can commit.
func readyEtcd(c net.Conn) error {
	if _, err := fmt.Fprintf(c, "GET /health HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", c.RemoteAddr()); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("its health is %s", answer.Status)
	}
	return nil
}
