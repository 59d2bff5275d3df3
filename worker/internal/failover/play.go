package failover

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker/store"
)

// Site is a server that has a replica.
type Site struct {
	Open    func() store.Store // a process' own way to the primary, whoever that is
	Replica store.Store        // straight to the replica, once it is promoted
	Hold    func()             // from now on the replica hears nothing; called when it is in step
	Promote func()             // ends the primary and makes the replica one
	Turn    func()             // has those that Open returned find it

	// Forge, when set, has the new server's namespace say that its floor was
	// raised when it was not. Duplicates must come of it.
	Forge func(server string)
}

// Play is a fail-over that loses acknowledged grants. It returns the ids that were
// taken twice.
func Play(t *testing.T, s Site) []uid.ID {
	t.Helper()
	c := NewCrew(t, s.Open)
	crashes, sleeps, goesOn := c.Join(1), c.Join(2), c.Join(3)
	eyes := s.Open()
	for _, m := range c.members {
		m.Reaches(c.View(eyes).Floor)
	}

	s.Hold()
	known := c.View(eyes) // the replica knows this at most
	for i, m := range c.members {
		m.Reaches(known.Rows[i].High + 50)
	}
	crashes.Crash()
	sleeps.Sleep()
	granted := c.highest(eyes)
	s.Promote()

	found := c.View(s.Replica)
	require.NotEqual(t, known.Server, found.Server, "the replica is another server")
	for i, m := range c.members {
		require.Less(t, found.Rows[i].High, m.Last(), "ids were taken of ticks that the replica does not know as granted")
	}
	if s.Forge != nil {
		s.Forge(found.Server)
	}
	s.Turn()

	heir, thief := c.Join(1), c.Join(2)
	for _, m := range []*Member{goesOn, heir, thief} {
		m.Reaches(granted + 20)
	}
	sleeps.Wake()
	thief.Crash() // the sleeper's claim is for this worker id alone
	sleeps.Reaches(granted + 20)

	if raised := c.View(eyes); s.Forge == nil {
		assert.Equal(t, found.Server, raised.Epoch)
		assert.Greater(t, raised.Floor, granted, "behind all that was granted and lost")
		assert.Greater(t, raised.Floor, raised.TickAt(found.Now)+raised.Window)
	}
	return c.Repeated()
}

// highest is the last tick that was granted to anybody, as the primary knows it.
func (c *Crew) highest(s store.Store) (tick int64) {
	for _, r := range c.View(s).Rows {
		tick = max(tick, r.High)
	}
	return tick
}

// PlayKept is a fail-over of a server that acknowledges nothing which its replica
// does not have. It returns the ids that were taken twice: none, though the floor
// does not rise.
func PlayKept(t *testing.T, s Site) []uid.ID {
	t.Helper()
	c := NewCrew(t, s.Open)
	crashes, sleeps, goesOn := c.Join(1), c.Join(2), c.Join(3)
	for _, m := range c.members {
		m.Reaches(c.View(s.Open()).Floor)
	}

	s.Hold()
	for _, m := range c.members {
		m.fails(2)
	}
	crashes.Crash()
	sleeps.Sleep()
	granted := []int64{crashes.granted(), sleeps.granted(), goesOn.granted()}
	s.Promote()

	found := c.View(s.Replica)
	for i, r := range found.Rows {
		assert.GreaterOrEqual(t, r.High, granted[i], "worker id %d: a grant was believed that the replica does not have", r.Worker)
	}
	s.Forge(found.Server)
	s.Turn()
	heir := c.Join(1)
	for _, m := range []*Member{goesOn, heir} {
		m.Reaches(slices.Max(granted) + 20)
	}
	sleeps.Wake()
	sleeps.Reaches(slices.Max(granted) + 20)
	return c.Repeated()
}
