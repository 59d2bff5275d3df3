package uid

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tsid is tsid-creator since 5.2.1, with a random function that gives 0: while the clock
// shows the last millisecond or one before it, it counts on from there, and carries into
// the next.
type tsid struct {
	node                   int64
	ms, counter            int64
	behind, begun, carried int // ids while the clock was behind, and milliseconds
}

func (m *tsid) next(now int64) ID {
	switch m.counter++; {
	case now > m.ms:
		m.ms, m.counter = now, 0
		m.begun++
	case m.counter == 1<<12:
		m.ms, m.counter = m.ms+1, 0
		m.carried++
	}
	if now < m.ms {
		m.behind++
	}
	return ID(m.ms<<22 | m.node<<12 | m.counter)
}

// Five million ids, with 2,500 steps back of up to an hour. The generator never waits.
func TestTSIDsRuleOverFiveMillionIDs(t *testing.T) {
	for _, trust := range []time.Duration{0, trust} { // each id looks at the clock, or few do
		t.Run(trust.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { tsidsRule(t, trust) })
		})
	}
}

func tsidsRule(t *testing.T, trust time.Duration) {
	c := system(t, "tsid")
	clock := clockOf(c.Layout)
	m, last := &tsid{node: 421, ms: aYearOn(c).from}, ID(0)
	clock.set(clock.start(m.ms))
	c.Now = clock.Now
	g, err := newDefault(t.Context(), worker.Static(421), c, trust)
	require.NoError(t, err)
	defer g.Close()

	take := func(n int) {
		for range n {
			id, err := g.GetUID()
			want := m.next(clock.tick())
			if err != nil || id != want || id <= last { // asked first: require is slow
				require.NoError(t, err)
				require.Equal(t, want, id)
				require.Greater(t, id, last)
			}
			last = id
		}
	}
	back := []time.Duration{3 * ms, 20 * ms, time.Second, 20 * time.Second, time.Hour}
	r, steps, rounds := rand.New(rand.NewPCG(25, 8)), 0, underRace(500, 5)
	for range rounds {
		time.Sleep(trust) // until the clock is looked at
		clock.set(clock.start(m.ms + 1 + r.Int64N(3)))
		left := 10_000 - r.IntN(6000)
		take(10_000 - left)
		for range 5 {
			time.Sleep(trust)
			clock.step(-back[r.IntN(len(back))])
			time.Sleep(time.Duration(r.IntN(3)) * ms)
			steps++
			n := r.IntN(800)
			take(n)
			left -= n
		}
		take(left)
	}
	assert.EqualValues(t, rounds*10_000, g.Stats().Taken)
	assert.Equal(t, rounds*5, steps)
	assert.Zero(t, g.Stats().Waits)
	assert.GreaterOrEqual(t, m.begun, rounds, "milliseconds that the clock began")
	assert.GreaterOrEqual(t, m.carried, rounds, "milliseconds that a full one was carried into")
	assert.Greater(t, m.behind, rounds*5000, "ids that were made while the clock was behind")
}
