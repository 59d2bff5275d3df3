package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// The primary of a group is killed, paused or cut off while leases are written. One holder
// keeps to the old primary, whatever happens, and another takes its worker id over.
func TestMySQLGroupFailsOver(t *testing.T) {
	t.Parallel()
	type strike func(g *group, m env)
	kill := func(_ *group, m env) { m.server.Kill() }
	pause := func(_ *group, m env) { m.server.Pause() }
	cut := func(g *group, m env) { g.network.Cut(m.server) }
	for name, strikes := range map[string][]strike{"killed and paused": {kill, pause}, "cut off": {cut}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := replicatingGroup(t, name == "cut off")
			h := failover.Start(t, g.through(g.front), 4, 1500*time.Millisecond)
			for range 3 {
				h.Join(g.through(g.front))
			}
			behind := testserver.NewProxy(t, g.members[0].server.Addr())
			faithful := h.Join(g.through(behind))
			for round := range len(strikes) * failovers(t) {
				old := g.primary()
				g.with(round, old)
				behind.Turn(old.server.Addr())
				h.GoOn("all is well")
				g.class(t, store.Fenced)

				strikes[round%len(strikes)](g, old)
				next := g.primary(old)
				faithful.Strand()
				g.front.Turn(next.server.Addr())
				id := faithful.WorkerID()
				known := h.View(g.through(g.front)).Rows[id-1].High
				thief := h.JoinAs(id, g.through(g.front))
				h.GoOn(fmt.Sprint("fail-over ", round+1))
				// It may hear now what it was granted just before.
				assert.LessOrEqual(t, faithful.Granted(), known, "the old primary grants nothing")

				g.back(old)
				g.front.Turn(g.primary().server.Addr())
				h.GoOn("the old primary is back")
				assert.LessOrEqual(t, faithful.Granted(), known, "nor when it is back")
				thief.Leave()
				behind.Turn(g.primary().server.Addr())
				faithful.Rescue()
			}
			h.GoOn("all is well")
			stale := len(h.StaleViews())
			h.View(g.through(g.front))
			assert.Len(t, h.StaleViews(), stale, "acknowledged, and lost")
			t.Log("stale views:", stale)
			assert.Empty(t, h.Duplicates())
		})
	}
}

// with has the settings of a round: all of group_replication_consistency in turn, and
// every other time members without a majority that do not wait for it for ever.
func (g *group) with(round int, primary env) {
	levels := []string{"BEFORE_ON_PRIMARY_FAILOVER", "EVENTUAL", "BEFORE", "AFTER", "BEFORE_AND_AFTER"}
	level := levels[round%len(levels)]
	for _, m := range g.members {
		m.exec(fmt.Sprintf("SET GLOBAL group_replication_consistency = '%s'", level),
			fmt.Sprintf("SET GLOBAL group_replication_unreachable_majority_timeout = %d", round/len(levels)%2*3))
	}
	g.front.Turn(primary.server.Addr()) // with connections that heard of it
	g.t.Log("group_replication_consistency:", level)
}

func (g *group) class(t *testing.T, want store.Class) {
	t.Helper()
	class, err := g.primary().again().Leases().Check(t.Context())
	checks(t, class, err, want)
}
