package preset

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// group is a store whose worker ids are held as a test says.
type group struct {
	t     *testing.T
	store store.Store
	claim func(worker.Claim) worker.Claim
	held  map[int64]worker.Lease
}

var need = worker.Need{Unit: time.Second, MaxID: 1023, Fingerprint: "test"}

func inGroup(t *testing.T, ids int64, claim func(worker.Claim) worker.Claim, test func(g *group)) {
	synctest.Test(t, func(t *testing.T) {
		s := memstore.New()
		_, err := worker.Init(t.Context(), s, worker.Claim{Count: ids, Logger: discard}, need)
		require.NoError(t, err)
		time.Sleep(2 * time.Minute) // nothing is new any more
		g := &group{t: t, store: s, claim: claim, held: map[int64]worker.Lease{}}
		test(g)
		for id := range g.held {
			g.stop(id)
		}
	})
}

func (g *group) base() worker.Claim { return worker.Claim{ExistingOnly: true, Logger: discard} }

// start starts a process as the group's system does and returns its worker id.
func (g *group) start() int64 { return g.startAs(g.claim(g.base())) }

func (g *group) startAs(c worker.Claim) int64 {
	time.Sleep(time.Second) // starts follow each other
	l, err := worker.Leased(g.store, c).Assign(context.Background(), need)
	require.NoError(g.t, err)
	g.held[l.WorkerID()] = l
	return l.WorkerID()
}

func (g *group) stop(id int64) {
	time.Sleep(time.Second)
	require.NoError(g.t, g.held[id].Release(context.Background(), math.MinInt64))
	delete(g.held, id)
}

// adnc chooses as AlphaYu/adnc does from its sorted set: the id with the oldest heartbeat
// first, so that one that was never used comes before one that was given back, and it renews
// every minute. When all ids are held Adnc hands out the one with the oldest heartbeat.
func adnc(c worker.Claim) worker.Claim {
	c.Prefer, c.TTL = worker.Oldest, 3*time.Minute
	return c
}

// zooKeeperGroup chooses as ephemeral nodes below a group node do.
func zooKeeperGroup(c worker.Claim) worker.Claim {
	c.Prefer = worker.Lowest
	return c
}

func TestAdncsWayToChoose(t *testing.T) {
	t.Run("a fresh set, in the order of its members as text", func(t *testing.T) {
		inGroup(t, 64, adnc, func(g *group) {
			var got []int64
			for range 4 {
				got = append(got, g.start())
			}
			assert.Equal(t, []int64{0, 1, 10, 11}, got)
		})
	})
	t.Run("never used comes before given back", func(t *testing.T) {
		inGroup(t, 4, adnc, func(g *group) {
			g.start()
			g.start()
			g.start()
			g.stop(1)
			assert.EqualValues(t, 3, g.start())
			assert.EqualValues(t, 1, g.start())
		})
	})
	t.Run("all live: an error, not the stalest of them", func(t *testing.T) {
		inGroup(t, 4, adnc, func(g *group) {
			for range 4 {
				g.start()
			}
			_, err := worker.Leased(g.store, adnc(g.base())).Assign(g.t.Context(), need)
			assert.ErrorIs(t, err, worker.ErrAllHeld)
			assert.ErrorContains(t, err, "4 of 4 are held")
		})
	})
}

func TestTheZooKeeperGroupsWayToChoose(t *testing.T) {
	inGroup(t, 8, zooKeeperGroup, func(g *group) {
		for id := range int64(4) {
			assert.Equal(t, id, g.start())
		}
		g.stop(2)
		g.stop(0)
		for _, id := range []int64{0, 2, 4} {
			assert.Equal(t, id, g.start())
		}
	})
}

func TestLeafsWayToChoose(t *testing.T) {
	at := func(port int) func(worker.Claim) worker.Claim {
		return Leaf{Port: port}.Claim
	}
	inGroup(t, 4, at(8080), func(g *group) {
		assert.EqualValues(t, 0, g.start())
		assert.EqualValues(t, 1, g.startAs(at(8081)(g.base())))
		g.stop(0)
		g.stop(1)
		assert.EqualValues(t, 2, g.startAs(at(8082)(g.base())),
			"an id that nobody had before one that somebody gave back")
		assert.EqualValues(t, 1, g.startAs(at(8081)(g.base())), "the same address and port: the same id")
		assert.EqualValues(t, 3, g.startAs(at(8081)(g.base())), "a second process with them gets another")
	})
}

func TestRaindropsWayToChoose(t *testing.T) {
	claim := func(port int, priority bool) func(worker.Claim) worker.Claim {
		return func(c worker.Claim) worker.Claim {
			c.First, c.Count = 2, 4 // a data centre's
			return Raindrop{Port: port, PriorityEqualCodeWorkID: priority}.Claim(c)
		}
	}
	inGroup(t, 8, claim(1, false), func(g *group) {
		assert.EqualValues(t, 2, g.start())
		assert.EqualValues(t, 3, g.startAs(claim(2, false)(g.base())))
		g.stop(2)
		g.stop(3)
		assert.EqualValues(t, 3, g.startAs(claim(2, true)(g.base())), "its own code first, if it says so")
		g.stop(3)
		assert.EqualValues(t, 4, g.startAs(claim(2, false)(g.base())), "else the one renewed longest ago")
	})
}

// Raindrop calls a worker dead two minutes after its last heartbeat, and after
// longer with longer ticks. Its own row it prefers on demand, in ms and s alone.
func TestRaindropsLivenessAndPriority(t *testing.T) {
	for unit, want := range map[time.Duration]struct {
		ttl time.Duration
		own bool // its own row first, when equal codes have priority
	}{
		0:                {120 * time.Second, true},
		time.Millisecond: {120 * time.Second, true},
		time.Second:      {120 * time.Second, true},
		time.Minute:      {180 * time.Second, false},
		time.Hour:        {time.Hour + 120*time.Second, false},
		24 * time.Hour:   {24*time.Hour + 120*time.Second, false},
	} {
		for priority, own := range map[bool]bool{false: false, true: want.own} {
			c := Raindrop{Port: 80, Unit: unit, PriorityEqualCodeWorkID: priority}.Claim(worker.Claim{})
			assert.Equal(t, want.ttl, c.TTL, unit)
			prefer := map[bool]worker.Preference{false: worker.Oldest, true: worker.OwnThenOldest}[own]
			assert.Equal(t, prefer, c.Prefer, "%v, priority %v", unit, priority)
		}
	}
	assert.Equal(t, Raindrop{Unit: time.Second}.Claim(worker.Claim{}).Owner,
		Raindrop{}.Claim(worker.Claim{}).Owner, "one code")
	assert.NotEqual(t, Raindrop{Port: 1}.Claim(worker.Claim{}).Owner,
		Raindrop{}.Claim(worker.Claim{}).Owner)
}
