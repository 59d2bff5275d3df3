package worker_test

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// group is a store whose worker ids are held as a test says.
type group struct {
	t     *testing.T
	store *memstore.Store
	claim func(worker.Claim) worker.Claim
	held  map[int64]worker.Lease
}

func inGroup(t *testing.T, ids int64, claim func(worker.Claim) worker.Claim, test func(g *group)) {
	synctest.Test(t, func(t *testing.T) {
		s := memstore.New()
		ns, err := worker.NewNamespace("default", need, 0, ids-1, 0)
		require.NoError(t, err)
		require.NoError(t, s.Init(t.Context(), ns, worker.InitOptions{Fresh: true}))
		g := &group{t: t, store: s, claim: claim, held: map[int64]worker.Lease{}}
		test(g)
		for id := range g.held {
			g.stop(id)
		}
	})
}

func (g *group) base() worker.Claim { return worker.Claim{Logger: slog.New(slog.DiscardHandler)} }

// start starts a process by the group's habit and returns its worker id.
func (g *group) start() int64 { return g.startAs(g.claim(g.base())) }

func (g *group) startAs(c worker.Claim) int64 {
	time.Sleep(time.Second) // starts follow each other
	l, err := worker.Leased(g.store, c).Assign(context.Background(), need)
	require.NoError(g.t, err)
	g.held[l.WorkerID()] = l
	return l.WorkerID()
}

// startAt starts a process on a certain worker id.
func (g *group) startAt(id int64) {
	c := g.base()
	c.First, c.Last = id, id
	if id == 0 {
		c.Order, c.Last = worker.LowestFree, 1
	}
	require.Equal(g.t, id, g.startAs(c))
}

func (g *group) stop(id int64) {
	time.Sleep(time.Second)
	require.NoError(g.t, g.held[id].Release(context.Background(), math.MinInt64))
	delete(g.held, id)
}

func TestAdncsHabit(t *testing.T) {
	t.Run("a fresh set, in the order of its members as text", func(t *testing.T) {
		inGroup(t, 64, worker.Adnc, func(g *group) {
			var got []int64
			for range 4 {
				got = append(got, g.start())
			}
			assert.Equal(t, []int64{0, 1, 10, 11}, got)
		})
	})
	t.Run("never used comes before given back", func(t *testing.T) {
		inGroup(t, 4, worker.Adnc, func(g *group) {
			g.start()
			g.start()
			g.start()
			g.stop(1)
			assert.EqualValues(t, 3, g.start())
			assert.EqualValues(t, 1, g.start())
		})
	})
	t.Run("all live: an error, not the stalest of them", func(t *testing.T) {
		inGroup(t, 4, worker.Adnc, func(g *group) {
			for range 4 {
				g.start()
			}
			_, err := worker.Leased(g.store, worker.Adnc(g.base())).Assign(g.t.Context(), need)
			assert.ErrorIs(t, err, worker.ErrAllHeld)
			assert.ErrorContains(t, err, "4 of the 4")
		})
	})
}

func TestTheZooKeeperGroupsHabit(t *testing.T) {
	for name, c := range map[string]struct {
		children []int64
		want     int64
	}{
		"none":    {nil, 0},
		"0":       {[]int64{0}, 1},
		"0, 1, 2": {[]int64{0, 1, 2}, 3},
		"0, 2":    {[]int64{0, 2}, 1},
		"1, 2":    {[]int64{1, 2}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inGroup(t, 8, worker.ZooKeeperGroup, func(g *group) {
				for _, id := range c.children {
					g.startAt(id)
				}
				assert.Equal(t, c.want, g.start())
			})
		})
	}
}

func TestLeafsHabit(t *testing.T) {
	at := func(port int) func(worker.Claim) worker.Claim {
		return func(c worker.Claim) worker.Claim { return worker.Leaf(c, port) }
	}
	inGroup(t, 4, at(8080), func(g *group) {
		assert.EqualValues(t, 0, g.start())
		assert.EqualValues(t, 1, g.startAs(at(8081)(g.base())))
		g.stop(0)
		g.stop(1)
		assert.EqualValues(t, 2, g.startAs(at(8082)(g.base())), "an id that nobody had before one that somebody gave back")
		assert.EqualValues(t, 1, g.startAs(at(8081)(g.base())), "the same address and port: the same id")
		assert.EqualValues(t, 3, g.startAs(at(8081)(g.base())), "a second process with them gets another")
	})
}

func TestRaindropsHabit(t *testing.T) {
	habit := func(port int, priority bool) func(worker.Claim) worker.Claim {
		return func(c worker.Claim) worker.Claim {
			c.First, c.Last = 2, 5 // a data centre's
			return worker.Raindrop(c, worker.RaindropOptions{Port: port, Unit: time.Second, PriorityEqualCodeWorkID: priority})
		}
	}
	inGroup(t, 8, habit(1, false), func(g *group) {
		assert.EqualValues(t, 2, g.start())
		assert.EqualValues(t, 3, g.startAs(habit(2, false)(g.base())))
		g.stop(2)
		g.stop(3)
		assert.EqualValues(t, 3, g.startAs(habit(2, true)(g.base())), "its own code first, if it says so")
		g.stop(3)
		assert.EqualValues(t, 4, g.startAs(habit(2, false)(g.base())), "else the longest silent")
	})
}

func TestTheIdInAFileIsAHint(t *testing.T) {
	file := filepath.Join(t.TempDir(), "worker.id")
	habit := func(c worker.Claim) worker.Claim {
		c.Order = worker.LowestFree
		return worker.CachedInFile(c, file)
	}
	inGroup(t, 8, habit, func(g *group) {
		g.startAt(0)
		assert.EqualValues(t, 1, g.start())
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, "1\n", string(text))
		g.stop(0)
		g.stop(1)
		assert.EqualValues(t, 1, g.start(), "as last time")
		assert.EqualValues(t, 0, g.start(), "the store decides: 1 is held")

		require.NoError(t, os.WriteFile(file, []byte("nonsense"), 0o600))
		assert.EqualValues(t, 2, g.start())
	})
}

func TestSpreadPrefersTheOwnersRowAndLowGrants(t *testing.T) {
	habit := func(c worker.Claim) worker.Claim {
		c.Owner = "me"
		return c
	}
	inGroup(t, 64, habit, func(g *group) {
		mine := g.start()
		require.NoError(t, g.held[mine].Release(context.Background(), nowTick())) // it minted
		delete(g.held, mine)
		for range 5 {
			assert.NotEqual(t, mine, g.startAs(g.base()), "its grant reaches further than the others'")
		}
		assert.Equal(t, mine, g.start())
		assert.NotEqual(t, mine, g.start(), "an owner is a preference, not a claim")
	})
}
