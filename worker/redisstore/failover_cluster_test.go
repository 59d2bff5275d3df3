package redisstore

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// rounds is how often tests go through all faults: UID_FAILOVERS, or once.
func rounds(t *testing.T) int {
	text := os.Getenv("UID_FAILOVERS")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "UID_FAILOVERS")
	return n
}

// The slot of all keys changes hands in every way that there is, while ids are taken.
func TestClusterWhoseSlotChangesHands(t *testing.T) {
	t.Parallel()
	n := startNodes(t)
	first, second := n.all[0], n.all[1]
	h := failover.Start(t, n.open(Options{}), 3, 1500*time.Millisecond)
	for range 3 {
		h.Join(n.open(Options{}))
	}
	type fault struct {
		name string
		do   func()
	}
	faults := []fault{
		{"CLUSTER FAILOVER", func() { n.promote(n.replica, "") }},
		{"CLUSTER FAILOVER FORCE", func() { n.promote(first, "FORCE") }},
		{"CLUSTER FAILOVER TAKEOVER", func() { n.promote(n.replica, "TAKEOVER") }},
		{"the primary is killed", func() {
			inStep(t, n.replica, 1) // else nobody may take its place
			n.replica.Kill()
			n.agree(first)
			n.replica.Start()
		}},
		{"the slot moves", func() { n.move(second) }},
		{"it moves back", func() { n.move(first) }},
	}
	if n.canMoveAtOnce() {
		faults = append(faults,
			fault{"CLUSTER MIGRATESLOTS", func() { n.moveAtOnce(second) }},
			fault{"CLUSTER MIGRATESLOTS back", func() { n.moveAtOnce(first) }})
	}
	for range rounds(t) {
		for _, f := range faults {
			f.do()
			h.GoOn(f.name)
		}
	}
	n.turnAway(first)
	h.GoOn("the replica does not hear of grants")
	n.promote(n.replica, "TAKEOVER")
	h.GoOn("it takes over, while its primary serves")
	assert.Empty(t, h.Duplicates())
}

// A slot that was away is in another incarnation when it is back: what it brings may be
// older than what was granted elsewhere, and still say the epoch of before.
func TestSlotThatComesBack(t *testing.T) {
	t.Parallel()
	n := startNodes(t)
	s := n.open(Options{}).(*Store)
	leasetest.Make(t, s)
	before := leasetest.View(t, s)
	n.move(n.all[1])
	n.move(n.all[0])
	after := n.view(s)
	assert.Equal(t, before.Epoch, after.Epoch, "nobody raised the floor")
	assert.NotEqual(t, before.Server, after.Server)

	if n.canMoveAtOnce() {
		n.moveAtOnce(n.all[1])
		n.moveAtOnce(n.all[0])
		assert.NotEqual(t, after.Server, n.view(s).Server)
	}
}

// A slot of which each node has a part serves nothing that needs both.
func TestSlotThatIsHalfMoved(t *testing.T) {
	t.Parallel()
	n := startNodes(t)
	s := n.open(Options{}).(*Store)
	leasetest.Make(t, s)
	before := leasetest.View(t, s)
	from, to := n.all[0], n.all[1]
	n.beginMove(from, to)
	n.moveKeys(from, to, s.nsKey("default"))
	for _, least := range []int{0, 1} {
		s.o.MinReplicas = least
		applied, err := s.Write(t.Context(), leasetest.Acquisition(before))
		require.Error(t, err)
		assert.False(t, applied)
	}
	s.o.MinReplicas = 0
	n.endMove(from, to)
	after := n.view(s)
	assert.Equal(t, before.Rows, after.Rows)
	assert.NotEqual(t, after.Epoch, after.Server)
}
