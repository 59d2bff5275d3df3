package testserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// EtcdCluster starts a cluster of n members, without authentication. One that is
// gone is noticed after half a second.
func EtcdCluster(t testing.TB, n int, options ...Option) *Cluster {
	t.Helper()
	k := kindEtcd()
	k.command = commandEtcdMember
	return newCluster(t, n, k, options, func(i int, all []*Server) {
		var peers []string
		for j, m := range all {
			peers = append(peers, fmt.Sprintf("m%d=%s", j, m.etcdPeer()))
		}
		all[i].args = append([]string{fmt.Sprintf("--name=m%d", i), "--initial-cluster=" + strings.Join(peers, ",")}, all[i].args...)
	}, rankEtcd)
}

// commandEtcdMember leaves the name and who the others are to args.
func commandEtcdMember(s *Server) *exec.Cmd {
	args := append(s.etcdArgs(), "--heartbeat-interval=50", "--election-timeout=500")
	return exec.Command(s.bin, append(args, s.args...)...)
}

// rankEtcd asks a member as its gateway to HTTP wants it.
func rankEtcd(addr string) (rank, error) {
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Post("http://"+addr+"/v3/maintenance/status", "application/json", strings.NewReader("{}"))
	if err != nil {
		return rank{}, err
	}
	defer answer.Body.Close()
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
