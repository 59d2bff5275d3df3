package testserver

import (
	"fmt"
	"strings"
)

// Etcd starts a cluster of one member, without authentication.
var Etcd = starter(kindEtcd)

// EtcdCluster starts a cluster of n members, without authentication. It notices after half a
// second that a member is gone.
var EtcdCluster = clusters(kindEtcd)

var kindEtcd = kind{
	name:    "etcd",
	install: "apt-get install etcd-server etcd-client, or brew install etcd",
	find:    finder("etcd"),
	args: func(s *Server) []string {
		members, timing := s.members, []string{"--heartbeat-interval=50", "--election-timeout=500"}
		if members == nil { // a cluster of one has no other to wait for
			members, timing = []*Server{s}, []string{"--heartbeat-interval=10", "--election-timeout=50"}
		}
		var all []string
		for _, m := range members {
			all = append(all, m.etcdName()+"="+m.etcdPeer())
		}
		client, peer := "http://"+s.Addr(), s.etcdPeer()
		return append(timing, "--data-dir="+s.dataDir(), "--name="+s.etcdName(),
			"--initial-cluster="+strings.Join(all, ","),
			"--listen-client-urls="+client, "--advertise-client-urls="+client,
			"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer,
			"--logger=zap", "--log-level=error")
	},
	fast:  []string{"--unsafe-no-fsync"},
	ready: get("/health", "200 "), // it can commit
	url:   "etcd://%s/ringuid",
}

func (s *Server) etcdName() string { return fmt.Sprint("m", s.port) }

// etcdPeer returns where the members of a cluster find this one.
func (s *Server) etcdPeer() string { return fmt.Sprintf("http://127.0.0.1:%d", s.peer) }
