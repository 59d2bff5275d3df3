package testserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var clusters = map[string]func(testing.TB, int, ...Option) *Cluster{
	"etcd":      EtcdCluster,
	"ZooKeeper": ZooKeeperEnsemble,
}

func TestAnotherMemberLeadsWhenTheLeaderIsGone(t *testing.T) {
	for name, startCluster := range clusters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCluster(t, 3)
			require.Len(t, c.Members, 3)
			for _, m := range c.Members {
				require.NoError(t, m.Ping())
			}
			first := c.Leader()
			assert.Same(t, first, c.Leader(), "there is one")
			assert.NotSame(t, first, c.Follower())

			first.Kill()
			second := c.Leader()
			assert.NotSame(t, first, second)
			first.Start()
			assert.Same(t, second, c.Leader(), "who comes back follows")

			second.Pause()
			third := c.Leader()
			assert.NotSame(t, second, third)
			second.Resume()
			assert.Same(t, third, c.Leader(), "who wakes up leads no more, whatever it believes")

			for _, m := range c.Members {
				m.Kill()
			}
			c.Start()
			c.Leader()
		})
	}
}
