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
	k := kindEtcd()
	k.command = commandEtcd
	return start(t, k, options)
}

// kindEtcd is all about it but its command.
func kindEtcd() kind {
	return kind{
		name:    "etcd",
		install: "apt-get install etcd-server etcd-client, or brew install etcd",
		find:    finder("etcd"),
		prepare: func(*Server) error { return nil },
		ready:   readyEtcd,
		signal:  syscall.SIGTERM,
		dsn:     "http://%s",
		url:     "etcd://%s/ringuid",
	}
}

func commandEtcd(s *Server) *exec.Cmd {
	args := append(s.etcdArgs(), "--name=t", "--initial-cluster=t="+s.etcdPeer(),
		// A cluster of one has nobody to wait for.
		"--heartbeat-interval=10", "--election-timeout=50")
	if !s.durable {
		args = append(args, "--unsafe-no-fsync")
	}
	return exec.Command(s.bin, append(args, s.args...)...)
}

// etcdArgs are those of any member of any cluster.
func (s *Server) etcdArgs() []string {
	client, peer := "http://"+s.Addr(), s.etcdPeer()
	return []string{"--data-dir=" + s.dataDir(),
		"--listen-client-urls=" + client, "--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer,
		"--logger=zap", "--log-level=error"}
}

// etcdPeer is where the members of a cluster find this one.
func (s *Server) etcdPeer() string { return fmt.Sprintf("http://127.0.0.1:%d", s.peer) }

// readyEtcd wants a healthy cluster: one that has a leader and can commit.
func readyEtcd(c net.Conn) error {
	if _, err := fmt.Fprintf(c, "GET /health HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
		c.RemoteAddr()); err != nil {
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
