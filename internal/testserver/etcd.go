package testserver

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// Etcd starts a cluster of one member, without authentication.
func Etcd(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kindEtcd(), options)
}

// EtcdCluster starts a cluster of n members, without authentication. It notices after half a
// second that a member is gone.
func EtcdCluster(t testing.TB, n int, options ...Option) Cluster {
	t.Helper()
	return newCluster(t, n, kindEtcd(), options)
}

func kindEtcd() kind {
	return kind{
		name:    "etcd",
		install: "apt-get install etcd-server etcd-client, or brew install etcd",
		find:    finder("etcd"),
		command: commandEtcd,
		ready:   get("/health", "200 "), // it can commit
		url:     "etcd://%s/ringuid",
	}
}

func commandEtcd(s *Server) *exec.Cmd {
	members, timing := s.members, []string{"--heartbeat-interval=50", "--election-timeout=500"}
	if members == nil { // a cluster of one has no other to wait for
		members, timing = []*Server{s}, []string{"--heartbeat-interval=10", "--election-timeout=50"}
	}
	var all []string
	for _, m := range members {
		all = append(all, m.etcdName()+"="+m.etcdPeer())
	}
	client, peer := "http://"+s.Addr(), s.etcdPeer()
	args := append(timing, "--data-dir="+s.dataDir(), "--name="+s.etcdName(),
		"--initial-cluster="+strings.Join(all, ","),
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer,
		"--logger=zap", "--log-level=error")
	if !s.durable {
		args = append(args, "--unsafe-no-fsync")
	}
	return exec.Command(s.bin, append(args, s.args...)...)
}

func (s *Server) etcdName() string { return fmt.Sprint("m", s.port) }

// etcdPeer returns where the members of a cluster find this one.
func (s *Server) etcdPeer() string { return fmt.Sprintf("http://127.0.0.1:%d", s.peer) }
