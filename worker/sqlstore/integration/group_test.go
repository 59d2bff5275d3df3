package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// A primary that is cut off from its group acknowledges no write, now or when it is back.
// It answers reads, which may be old, but for sessions that want to read what the group
// has.
func TestMySQLGroupPrimaryThatIsCutOff(t *testing.T) {
	t.Parallel()
	g := replicatingGroup(t, true)
	old := g.primary()
	old.leased()
	old.inited()
	old.stranger("SELECT").check(t, store.Fenced, "", "") // nobody needs rights to see that
	was, refused := row(t, old.Leases())
	answers := map[string]bool{"EVENTUAL": true, "BEFORE_ON_PRIMARY_FAILOVER": true, "AFTER": true,
		"BEFORE": false, "BEFORE_AND_AFTER": false}
	sessions := map[string]env{}
	for level := range answers {
		sessions[level] = open(t, "mysql", old.dsn+"?group_replication_consistency='"+level+"'", old.server)
		require.NoError(t, sessions[level].db.Ping())
	}
	g.network.Cut(old.server)
	next := g.primary(old)
	require.Eventually(t, func() bool { // the floor is raised by whoever comes first
		v, err := next.Leases().View(t.Context(), "default", 2, 2)
		if err == nil && v.Epoch != v.Server {
			_, err = next.Leases().Raise(t.Context(), store.Raise{Namespace: "default", Epoch: v.Epoch, Floor: v.Floor})
		}
		return err == nil && v.Epoch == v.Server
	}, time.Minute, 5*time.Millisecond)
	_, w := row(t, next.Leases())
	applied, err := next.Leases().Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)

	for level, e := range sessions {
		t.Run(level, func(t *testing.T) {
			v, err := e.Leases().View(briefly(t), "default", 2, 2)
			if answers[level] {
				require.NoError(t, err)
				assert.Equal(t, was.Nonce, v.Rows[0].Nonce, "as it was before")
			} else {
				require.ErrorIs(t, err, context.DeadlineExceeded)
			}
			applied, err := e.Leases().Write(briefly(t), refused)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.False(t, applied)
		})
	}
	g.back(old)
	r, _ := row(t, g.primary().Leases())
	assert.Equal(t, w.Nonce, r.Nonce)
}

// briefly is for a call that gets no answer.
func briefly(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	t.Cleanup(cancel)
	return ctx
}

// All members are killed at once, and the group is begun again with one that need not
// have all that was acknowledged: another incarnation, as every server that was started.
func TestMySQLGroupThatIsBegunAgain(t *testing.T) {
	t.Parallel()
	g := replicatingGroup(t, false)
	h := failover.Start(t, g.through(g.front), 3, 1500*time.Millisecond)
	for range 3 {
		h.Join(g.through(g.front))
	}
	h.GoOn("all is well")
	first := g.members[1] // not the primary of before
	first.exec("SET PERSIST group_replication_start_on_boot = OFF", "SET PERSIST_ONLY super_read_only = ON")
	for _, m := range g.members {
		m.server.Kill()
	}
	first.server.Start()
	first.begin()
	g.front.Turn(g.primary().server.Addr())
	h.GoOn("all were killed")
	assert.Empty(t, h.Duplicates())
}

// A member that is behind becomes the primary. It takes no writes until it has what was
// acknowledged, and shows rows as they were, but to sessions that want to wait.
func TestMySQLGroupWhosePrimaryIsBehind(t *testing.T) {
	t.Parallel()
	g := replicatingGroup(t, false)
	old, next := g.primary(), g.members[1]
	next.exec("SET GLOBAL group_replication_member_weight = 100") // which makes it the next
	old.leased()
	was, w := row(t, old.Leases())
	require.Eventually(t, func() bool {
		n, err := next.number("SELECT COUNT(*) FROM uid_ns")
		return err == nil && n == 1
	}, time.Minute, 5*time.Millisecond)
	at := func(level string) env {
		return open(t, "mysql", next.dsn+"?group_replication_consistency='"+level+"'", next.server)
	}
	c, err := at("EVENTUAL").db.Conn(t.Context())
	require.NoError(t, err)
	defer c.Close()
	_, err = c.ExecContext(t.Context(), "LOCK TABLES uid_worker READ")
	require.NoError(t, err)
	applied, err := old.Leases().Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	old.server.Kill()
	require.Eventually(t, func() bool { _, role := g.state(next); return role == "PRIMARY" }, time.Minute, 5*time.Millisecond)

	stale, refused := row(t, at("EVENTUAL").Leases())
	assert.Equal(t, was.Nonce, stale.Nonce)
	_, err = at("BEFORE_ON_PRIMARY_FAILOVER").Leases().View(briefly(t), "default", 2, 2)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	applied, err = at("EVENTUAL").Leases().Write(briefly(t), refused)
	require.Error(t, err)
	assert.False(t, applied)

	_, err = c.ExecContext(t.Context(), "UNLOCK TABLES")
	require.NoError(t, err)
	r, _ := row(t, g.primary(old).Leases())
	assert.Equal(t, w.Nonce, r.Nonce)
}
