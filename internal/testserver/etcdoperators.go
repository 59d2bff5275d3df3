package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// rejoinEtcd has the other members forget m and know an empty one at its address.
func (c *Cluster) rejoinEtcd(m *Server) error {
	leader := c.Leader().Addr()
	var known struct {
		Members []struct {
			ID    string
			Peers []string `json:"peerURLs"`
		}
	}
	if err := askEtcd(leader, "cluster/member/list", struct{}{}, &known); err != nil {
		return err
	}
	for _, k := range known.Members {
		if !slices.Contains(k.Peers, m.etcdPeer()) {
			continue
		}
		if err := c.changeEtcd("remove", map[string]string{"ID": k.ID}); err != nil {
			return err
		}
	}
	if exists := "--initial-cluster-state=existing"; !slices.Contains(m.args, exists) {
		m.args = append(m.args, exists)
	}
	return c.changeEtcd("add", map[string][]string{"peerURLs": {m.etcdPeer()}})
}

// changeEtcd changes who belongs to a cluster, as soon as the cluster is content with all
// that do: who was started a moment ago is on trial for five seconds.
func (c *Cluster) changeEtcd(what string, question any) error {
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		err := askEtcd(c.Leader().Addr(), "cluster/member/"+what, question, &struct{}{})
		if err == nil || time.Since(begin) > patience {
			return err
		}
	}
}

// backupEtcd has etcdctl save a snapshot.
func (c *Cluster) backupEtcd() (put func(args []string) error, err error) {
	etcdctl, ok := finder("etcdctl")()
	if !ok {
		Missing(c.t, "etcd", "apt-get install etcd-client, for its etcdctl")
	}
	file := filepath.Join(TempDir(c.t), "snapshot")
	out, err := exec.Command(etcdctl, "--endpoints=http://"+c.Leader().Addr(), "snapshot", "save", file).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	program, ok := finder("etcdutl")()
	if !ok {
		program = etcdctl // before 3.5 it did both
	}
	return func(args []string) error {
		for i, m := range c.Members {
			if err := os.RemoveAll(m.dataDir()); err != nil {
				return err
			}
			member := append(etcdMember(i, c.Members), "--initial-advertise-peer-urls="+m.etcdPeer(), "--data-dir="+m.dataDir())
			out, err := exec.Command(program, slices.Concat([]string{"snapshot", "restore", file}, member, args)...).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w\n%s", err, out)
			}
		}
		return nil
	}, nil
}

// CanBumpRevision says whether a member can be made of a snapshot with a revision above any
// that the cluster ever had, as by etcdutl from 3.5.
func CanBumpRevision() bool {
	_, ok := finder("etcdutl")()
	return ok
}
