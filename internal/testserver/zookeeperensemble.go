package testserver

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// ZooKeeperEnsemble starts an ensemble of n servers. A tick is 200 ms, so sessions
// may be as short as 400 ms, and a server that is silent for five ticks counts as
// gone.
func ZooKeeperEnsemble(t testing.TB, n int, options ...Option) *Cluster {
	t.Helper()
	k := kindZooKeeper()
	return newCluster(t, n, k, options, func(i int, all []*Server) {
		lines := []string{"initLimit=50", "syncLimit=5"}
		for j, m := range all {
			lines = append(lines, fmt.Sprintf("server.%d=127.0.0.1:%d:%d", j+1, m.peer, m.vote))
		}
		all[i].args = append(lines, all[i].args...)
		all[i].kind.prepare = func(s *Server) error {
			if err := os.MkdirAll(s.dataDir(), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(s.dataDir(), "myid"), []byte(strconv.Itoa(i+1)),
				0o600); err != nil {
				return err
			}
			return s.writeZooCfg()
		}
	}, rankZooKeeper)
}

// rankZooKeeper asks a server. The upper half of a transaction's number is the
// epoch of the leader that gave it.
func rankZooKeeper(addr string) (rank, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return rank{}, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return rank{}, err
	}
	says, err := askZooKeeper(c)
	if err != nil {
		return rank{}, err
	}
	last, err := strconv.ParseUint(says[0], 16, 64)
	return rank{says[1] == "leader", last >> 32}, err
}
