package zkstore

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/texttest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// ways is a store on a connection that knows these ways into an ensemble.
func ways(t *testing.T, session time.Duration, addrs ...string) store.Store {
	return New(connect(t, session, addrs), Options{})
}

// impatient is the session of a client that is to leave a dead server soon.
const impatient = 600 * time.Millisecond

// Each fault lets a multi that writes a row reach the server, and cuts the connection before
// the answer. Another server is asked next.
func TestLinearizableOverCutConnectionsToThreeServers(t *testing.T) {
	t.Parallel()
	proxies, behind := ensemble.Get(t).Proxies(t)
	s := ways(t, unhurried, behind...)
	lossy, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.False(t, lossy)
	storetest.Linearizable(t, s, func() {
		proxies[rand.IntN(3)].CutReplyTo(`{"nonce":"`)
	})
}

// Sessions outlast an election.
func TestServersThatSlept(t *testing.T) {
	t.Parallel()
	c := testserver.ZooKeeperEnsemble(t, 3, testserver.Args("maxSessionTimeout=60000"))
	texttest.TestMembersThatSlept(t, c,
		func(addr string) store.Store { return New(open(t, addr), Options{}) }, true)
}

// Leaders are killed, paused and cut off while ids are taken as fast as they come.
func TestNoIDComesTwiceWhoeverLeads(t *testing.T) {
	t.Parallel()
	texttest.TestCluster(t, testserver.ZooKeeperEnsemble(t, 3),
		func(addrs ...string) store.Store { return ways(t, impatient, addrs...) })
}
