package preset

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// claims are the ways to choose a worker id. Each has an owner, whose row of the
// last start some of them prefer.
func claims(unit time.Duration) map[string]worker.Claim {
	base := worker.Claim{Owner: "me", Logger: discard}
	ordered := func(o worker.Order) worker.Claim {
		c := base
		c.Order = o
		return c
	}
	return map[string]worker.Claim{
		"LowestFree":    ordered(worker.LowestFree),
		"OwnerOrOldest": ordered(worker.OwnerOrOldest),
		"Leaf":          Leaf{Port: 8080}.Claim(base),
		"Raindrop":      Raindrop{Unit: unit, PriorityEqualCodeWorkID: true}.Claim(base),
		"an Order of one's own": ordered(func(free []worker.Row, c worker.Claim) []worker.Row {
			return worker.OwnerOrOldest(worker.LowestFree(free, c), c)
		}),
	}
}

// With ticks of a day, a clean restart that took its own row again gave its first
// id 23 h 49 min later, when the next day began.
func TestACleanRestartHasItsFirstIdAtOnce(t *testing.T) {
	for _, unit := range []time.Duration{time.Minute, time.Hour, 24 * time.Hour} {
		for name, claim := range claims(unit) {
			t.Run(unit.String()+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { startsFive(t, unit, claim) })
			})
		}
	}
}

func startsFive(t *testing.T, unit time.Duration, claim worker.Claim) {
	c, err := Raindrop{Unit: unit, Start: time.Now()}.Config()
	require.NoError(t, err)
	c.Logger = discard
	store := memstore.New()
	_, err = worker.Init(t.Context(), store, worker.Claim{Last: 4, Logger: discard}, c.Layout.Need(),
		true)
	require.NoError(t, err)

	workers := map[int64]bool{}
	time.Sleep(11 * time.Second) // a part of the tick is over
	for range 5 {
		began := time.Now()
		g, err := uid.NewDefault(t.Context(), worker.Leased(store, claim), c)
		require.NoError(t, err)
		id, err := g.GetUIDContext(t.Context())
		require.NoError(t, err)
		assert.Zero(t, time.Since(began), "until the first id")
		p, err := g.ParseUID(id)
		require.NoError(t, err)
		assert.False(t, workers[p.Worker], "a worker id twice in a tick")
		workers[p.Worker] = true
		require.NoError(t, g.Close())
		time.Sleep(time.Second)
	}
}
