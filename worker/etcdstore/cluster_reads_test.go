package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/texttest"
	"github.com/ringuid/ringuid/worker/store"
)

// A member that was paused knows nothing of what was acknowledged meanwhile, and is
// asked for it as soon as it wakes up: a follower that lags behind, or a leader that
// slept through an election and believes that it leads.
func TestViewFromAMemberThatLagsBehind(t *testing.T) {
	t.Parallel()
	c := testserver.EtcdCluster(t, 3)
	leasetest.Make(t, ways(t, c.Addrs()...))
	answers := 0
	for name, pick := range map[string]func() *testserver.Server{"follower": c.Follower,
		"leader": c.Leader} {
		for range 3 {
			member := pick()
			lagging := ways(t, member.Addr())
			before := leasetest.InTime(t, lagging)
			member.Pause()
			s := ways(t, c.Leader().Addr())
			leasetest.ExtendInTime(t, s)
			want := leasetest.InTime(t, s)

			look := texttest.UnderWay(t,
				func() (store.View, error) { return lagging.View(t.Context(), leasetest.Pool, 0, 3) })
			send := texttest.UnderWay(t,
				func() (bool, error) { return lagging.Write(t.Context(), leasetest.Extension(before)) })
			member.Resume()
			applied, err := send()
			assert.False(t, applied, "%s: %v", name, err)
			if got, err := look(); err == nil { // else it has found out that it leads no more
				answers++
				assert.Equal(t, want.Rows, got.Rows, name)
			}
			assert.Equal(t, want.Rows, leasetest.InTime(t, s).Rows, name)
		}
	}
	assert.NotZero(t, answers)
}
