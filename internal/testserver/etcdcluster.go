package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
		all[i].args = append(etcdMember(i, all), all[i].args...)
	}, rankEtcd)
}

// etcdMember are the arguments that say who a member is, and who all are.
func etcdMember(i int, all []*Server) []string {
	var peers []string
	for j, m := range all {
		peers = append(peers, fmt.Sprintf("m%d=%s", j, m.etcdPeer()))
	}
	return []string{fmt.Sprintf("--name=m%d", i), "--initial-cluster=" + strings.Join(peers, ",")}
}

// commandEtcdMember leaves the name and who the others are to args.
func commandEtcdMember(s *Server) *exec.Cmd {
	args := append(s.etcdArgs(), "--heartbeat-interval=50", "--election-timeout=500")
	return exec.Command(s.bin, append(args, s.args...)...)
}

// rankEtcd asks a member who leads.
func rankEtcd(addr string) (rank, error) {
	var is struct {
		Header struct {
			Member uint64 `json:"member_id,string"`
		}
		Leader uint64 `json:",string"`
		Term   uint64 `json:"raftTerm,string"`
	}
	err := askEtcd(addr, "maintenance/status", struct{}{}, &is)
	return rank{is.Leader != 0 && is.Leader == is.Header.Member, is.Term}, err
}

// askEtcd asks a member as its gateway to HTTP wants it.
func askEtcd(addr, what string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	said, err := client.Post("http://"+addr+"/v3/"+what, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer said.Body.Close()
	text, err := io.ReadAll(said.Body)
	if err != nil {
		return err
	}
	if said.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", what, said.Status, text)
	}
	return json.Unmarshal(text, answer)
}
