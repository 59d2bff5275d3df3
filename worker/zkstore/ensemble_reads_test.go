package zkstore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/texttest"
	"github.com/ringuid/ringuid/worker/store"
)

// Both tests pause servers of an ensemble whose sessions outlast an election, and leave
// it whole.
func TestServersThatSlept(t *testing.T) {
	t.Parallel()
	c := testserver.ZooKeeperEnsemble(t, 3, testserver.Args("maxSessionTimeout=60000"))
	t.Run("ViewFromAServerThatLagsBehind",
		func(t *testing.T) { testViewFromAServerThatLagsBehind(t, c) })
	t.Run("WriteToALeaderThatLeadsNoMore",
		func(t *testing.T) { testWriteToALeaderThatLeadsNoMore(t, c) })
}

// A follower that was paused knows nothing of what was acknowledged meanwhile, and
// is asked for it as soon as it wakes up.
func testViewFromAServerThatLagsBehind(t *testing.T, c *testserver.Cluster) {
	leader, follower := c.Leader(), c.Follower()
	s := fresh(open(t, leader.Addr()))
	lagging := s.on(openFor(t, follower.Addr(), 30*time.Second))
	leasetest.Make(t, s)
	leasetest.View(t, lagging)
	answers := 0
	defer follower.Resume()
	for range 5 {
		follower.Pause()
		for range 3 {
			leasetest.ExtendInTime(t, s)
		}
		want := leasetest.InTime(t, s)
		end := texttest.UnderWay(t,
			func() (store.View, error) { return lagging.View(t.Context(), leasetest.Pool, 0, 3) })
		follower.Resume()
		got, err := end()
		if err != nil { // it was away for so long that it has to join the ensemble again
			continue
		}
		answers++
		assert.Equal(t, want.Rows, got.Rows)
	}
	assert.NotZero(t, answers)
}

// A leader that slept through an election believes for a moment that it leads. It
// may show what it remembers, and whoever builds on that writes nothing.
func testWriteToALeaderThatLeadsNoMore(t *testing.T, c *testserver.Cluster) {
	old := c.Leader()
	lone := fresh(openFor(t, old.Addr(), 30*time.Second))
	leasetest.Make(t, lone)
	before := leasetest.View(t, lone)
	old.Pause()
	defer old.Resume()
	s := lone.on(open(t, c.Leader().Addr()))
	leasetest.ExtendInTime(t, s)
	want := leasetest.InTime(t, s)

	look := texttest.UnderWay(t,
		func() (store.View, error) { return lone.View(t.Context(), leasetest.Pool, 0, 3) })
	send := texttest.UnderWay(t,
		func() (bool, error) { return lone.Write(t.Context(), leasetest.Extension(before)) })
	old.Resume()
	applied, err := send()
	assert.False(t, applied, "%v", err)
	if v, err := look(); err == nil {
		assert.Contains(t, []store.Row{before.Rows[0], want.Rows[0]}, v.Rows[0])
	}
	assert.Equal(t, want.Rows, leasetest.InTime(t, s).Rows)

	require.Eventually(t, func() bool { // it has found the new leader
		v, err := lone.View(leasetest.Soon(t), leasetest.Pool, 0, 3)
		return err == nil && v.Rows[0] == want.Rows[0]
	}, time.Minute, 10*time.Millisecond)
	leasetest.ExtendInTime(t, lone)
}
