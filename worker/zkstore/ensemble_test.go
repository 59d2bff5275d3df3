package zkstore

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// ways is a store on a connection that knows these ways into an ensemble.
func ways(t *testing.T, session time.Duration, addrs ...string) store.Store {
	return New(connect(t, session, addrs), Options{})
}

// impatient is the session of a client that is to leave a dead server soon.
const impatient = 600 * time.Millisecond

// spread sends each call to another server.
type spread struct {
	store.Store
	all []store.Store
}

func (s spread) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	return s.all[rand.IntN(len(s.all))].View(ctx, p, first, last)
}

func (s spread) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	return s.all[rand.IntN(len(s.all))].Write(ctx, w)
}

// Each fault lets a multi that writes a row reach a server, and cuts the connection before
// the answer. The servers follow the leader at their own pace.
func TestLinearizableOverCutConnectionsToThreeServers(t *testing.T) {
	t.Parallel()
	proxies, behind := ensemble.Get(t).Proxies(t)
	var all []store.Store
	for _, addr := range behind {
		all = append(all, New(open(t, addr), Options{}))
	}
	lossy, err := all[0].Check(t.Context())
	require.NoError(t, err)
	assert.False(t, lossy)
	storetest.Linearizable(t, spread{all[0], all}, func() {
		proxies[rand.IntN(3)].CutReplyTo(`{"nonce":"`)
	})
}

// Leaders are killed, paused and cut off while ids are taken as fast as they come.
func TestNoIDComesTwiceWhoeverLeads(t *testing.T) {
	t.Parallel()
	leasetest.TestCluster(t, testserver.ZooKeeperEnsemble(t, 3),
		func(addrs ...string) store.Store { return ways(t, impatient, addrs...) })
}
