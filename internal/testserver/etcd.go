package testserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Etcd starts a cluster of one member, without authentication.
func Etcd(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kindEtcd(), options)
}

// EtcdCluster starts a cluster of n members, without authentication. One that is
// gone is noticed after half a second.
func EtcdCluster(t testing.TB, n int, options ...Option) *Cluster {
	t.Helper()
	return newCluster(t, n, kindEtcd(), options, rankEtcd)
}

func kindEtcd() kind {
	return kind{
		name:    "etcd",
		install: "apt-get install etcd-server etcd-client, or brew install etcd",
		find:    finder("etcd"),
		prepare: func(*Server) error { return nil },
		command: commandEtcd,
		ready:   func(c net.Conn) error { return readyHTTP(c, "/health") }, // it can commit
		signal:  syscall.SIGTERM,
		dsn:     "http://%s",
		url:     "etcd://%s/ringuid",
	}
}

func commandEtcd(s *Server) *exec.Cmd {
	members, timing := s.members, []string{"--heartbeat-interval=50", "--election-timeout=500"}
	if members == nil { // a cluster of one has nobody to wait for
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

// etcdPeer is where the members of a cluster find this one.
func (s *Server) etcdPeer() string { return fmt.Sprintf("http://127.0.0.1:%d", s.peer) }

// readyHTTP wants a page to be there.
func readyHTTP(c net.Conn, page string) error {
	client := http.Client{Transport: &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return c, nil },
		DisableKeepAlives: true,
	}}
	answer, err := client.Get("http://" + c.RemoteAddr().String() + page)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("it answers %s: %s", answer.Status, said)
	}
	return nil
}

// rankEtcd asks a member who leads, through its gateway to HTTP.
func rankEtcd(addr string) (rank, error) {
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Post("http://"+addr+"/v3/maintenance/status", "application/json",
		strings.NewReader("{}"))
	if err != nil {
		return rank{}, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return rank{}, fmt.Errorf("its status is %s", answer.Status)
	}
	var is struct {
		Header struct {
			Member uint64 `json:"member_id,string"`
		}
		Leader uint64 `json:",string"`
		Term   uint64 `json:"raftTerm,string"`
	}
	err = json.NewDecoder(answer.Body).Decode(&is)
	return rank{is.Leader != 0 && is.Leader == is.Header.Member, is.Term}, err
}
