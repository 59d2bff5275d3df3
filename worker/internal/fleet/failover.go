package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
)

// FailOvers does to a cluster all that it should survive, one thing after the
// other, with a fleet on it. open is a store on a client of its own that knows
// these members.
func FailOvers(t *testing.T, c *testserver.Cluster, open func(addrs ...string) store.Store) {
	proxies, behind := c.Proxies(t) // the third generator's ways to the members
	f := Start(t, open(c.Addrs()...), open(c.Addrs()...), open(behind...))
	f.Recovers("all is well")
	f.leadersAreKilled(c)
	f.workerIDIsTakenOver(c, open(c.Addrs()...))
	f.leaderSleeps(c)
	toLeader := proxies[slices.Index(c.Members, c.Leader())]
	toLeader.Drop()
	f.Recovers("one is cut off from the leader")
	toLeader.Pass()
	f.allAreKilled(c, open(c.Addrs()...))
	f.Finish()
}

func (f *Fleet) leadersAreKilled(c *testserver.Cluster) {
	f.t.Helper()
	for range 2 {
		leader := c.Leader()
		leader.Kill()
		c.Leader()
		f.Recovers("the leader was killed")
		leader.Start()
		f.Recovers("it came back")
	}
}

// workerIDIsTakenOver lets a generator go silent just before a fail-over. Who takes
// its worker id over has to hear from the next leader how far it was granted.
func (f *Fleet) workerIDIsTakenOver(c *testserver.Cluster, s store.Store) {
	f.t.Helper()
	silent := f.members[0]
	id := silent.WorkerID()
	silent.CutOff()
	leader := c.Leader()
	leader.Kill()
	other := f.Join(s)
	// Not by it, perhaps: rows of others may have run out while nobody led.
	require.Eventually(f.t, func() bool {
		return slices.ContainsFunc(f.members[1:], func(m *Member) bool { return m.WorkerID() == id })
	}, patience, 2*time.Millisecond, "somebody takes worker id %d over", id)
	f.Recovers("a worker id was taken over")
	leader.Start()
	silent.Mend()
	other.Leave()
	f.Recovers("who was silent has to find a worker id")
}

// leaderSleeps has a leader that was deposed meanwhile wake up and believe that it
// leads.
func (f *Fleet) leaderSleeps(c *testserver.Cluster) {
	f.t.Helper()
	leader := c.Leader()
	leader.Pause()
	defer leader.Resume()
	for begin := time.Now(); time.Since(begin) < 2*TTL; {
		c.Leader()
		f.Recovers("the leader sleeps")
	}
	leader.Resume()
	f.Recovers("it wakes up")
}

// allAreKilled at once, as by a power cut, and nothing may be lost.
func (f *Fleet) allAreKilled(c *testserver.Cluster, s store.Store) {
	f.t.Helper()
	for _, m := range c.Members {
		m.Kill()
	}
	c.Start()
	_, err := f.View(s)
	require.NoError(f.t, err)
	f.Recovers("all were killed")
}
