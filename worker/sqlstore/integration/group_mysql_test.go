package integration

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
)

// group is three servers of MySQL in Group Replication with a single primary, as in an
// InnoDB Cluster. Clients find whoever is the primary through front, as with MySQL Router.
type group struct {
	t       *testing.T
	members []env
	front   *testserver.Proxy
	network *testserver.Network // nil where they have that of the machine
}

const groupName = "9d2f1a54-7b1e-4f0e-a9f3-2f2c5d5a9a11"

// replicatingGroup starts one. Of a network of their own, members can be cut off.
func replicatingGroup(t *testing.T, ownNetwork bool) *group {
	t.Helper()
	g := &group{t: t}
	for i := range 3 {
		options := []testserver.Option{testserver.Durable(), testserver.Args(fmt.Sprint("--server-id=", i+1),
			"--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--plugin-load-add=group_replication.so")}
		if ownNetwork {
			options = append(options, testserver.Apart(t), testserver.Args("--bind-address=*", "--report-host="+g.network.IP(i)))
		} else {
			options = append(options, testserver.Args("--report-host=127.0.0.1"))
		}
		g.members = append(g.members, onMySQL(t, options...))
	}
	if ownNetwork {
		var servers []*testserver.Server
		for _, m := range g.members {
			servers = append(servers, m.server)
		}
		g.network = testserver.Connect(t, servers...)
	}
	g.found()
	g.front = testserver.NewProxy(t, g.members[0].server.Addr())
	t.Cleanup(func() {
		if t.Failed() {
			g.describe()
		}
	})
	return g
}

// describe logs what each member says of all.
func (g *group) describe() {
	for i, m := range g.members {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		var says string
		err := m.db.QueryRowContext(ctx, "SELECT GROUP_CONCAT(CONCAT_WS(' ', MEMBER_PORT, MEMBER_STATE, MEMBER_ROLE)) FROM performance_schema.replication_group_members").Scan(&says)
		g.t.Log("member", i, m.server.Addr(), says, err)
	}
}

// found begins the group with its first member. The others join, and each does so by
// itself when it is started again.
func (g *group) found() {
	g.t.Helper()
	var seeds []string
	for i := range g.members {
		seeds = append(seeds, g.peerAddr(i))
	}
	for i, m := range g.members {
		m.exec("SET PERSIST group_replication_group_name = '"+groupName+"'",
			"SET PERSIST group_replication_local_address = '"+seeds[i]+"'",
			"SET PERSIST group_replication_group_seeds = '"+strings.Join(seeds, ",")+"'",
			"SET PERSIST group_replication_ip_allowlist = '127.0.0.1/8,10.9.0.0/24'",
			"SET PERSIST group_replication_member_expel_timeout = 0", // seconds beside the five that there are always
			"CHANGE REPLICATION SOURCE TO SOURCE_USER = 'root' FOR CHANNEL 'group_replication_recovery'")
		if i == 0 {
			m.begin()
		} else {
			m.exec("START GROUP_REPLICATION")
		}
		g.untilOnline(m)
	}
}

// begin makes e a group, which others may join.
func (e env) begin() {
	e.t.Helper()
	e.exec("SET GLOBAL group_replication_bootstrap_group = ON", "START GROUP_REPLICATION", "SET GLOBAL group_replication_bootstrap_group = OFF")
}

func (g *group) peerAddr(i int) string {
	if g.network != nil {
		return g.network.IP(i) + ":33061"
	}
	return g.members[i].server.PeerAddr()
}

// state is what a member says of itself, and role whether it leads.
func (g *group) state(m env) (state, role string) {
	ctx, cancel := context.WithTimeout(g.t.Context(), time.Second)
	defer cancel()
	_ = m.db.QueryRowContext(ctx, "SELECT MEMBER_STATE, MEMBER_ROLE FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid").Scan(&state, &role)
	return state, role
}

func (g *group) untilOnline(m env) {
	g.t.Helper()
	require.Eventually(g.t, func() bool { state, _ := g.state(m); return state == "ONLINE" }, 2*time.Minute, 20*time.Millisecond, "a member is online")
}

// primary waits until the group has one that takes writes, and is none of these.
func (g *group) primary(but ...env) (primary env) {
	g.t.Helper()
	require.Eventually(g.t, func() bool {
		for _, m := range g.members {
			if slices.ContainsFunc(but, func(o env) bool { return o.server == m.server }) {
				continue
			}
			var readOnly bool
			if state, role := g.state(m); state == "ONLINE" && role == "PRIMARY" &&
				m.db.QueryRow("SELECT @@super_read_only").Scan(&readOnly) == nil && !readOnly {
				primary = m
				return true
			}
		}
		return false
	}, 2*time.Minute, 20*time.Millisecond, "the group has a primary")
	return primary
}

// through is a store that finds its server through a proxy.
func (g *group) through(p *testserver.Proxy) store.Store {
	return open(g.t, "mysql", "root@tcp("+p.Addr()+")/test", nil).Leases()
}

// back brings a member back that was killed, paused or cut off. It joins the group by
// itself, as soon as it has found out that it is not in it; if that does not come to
// anything, it is told to.
func (g *group) back(m env) {
	g.t.Helper()
	m.server.Resume()
	m.server.Start()
	if g.network != nil {
		g.network.Plug(m.server)
	}
	told := false
	require.Eventually(g.t, func() bool {
		state, role := g.state(m)
		if state == "ERROR" && !told {
			told = true
			m.exec("STOP GROUP_REPLICATION", "START GROUP_REPLICATION")
		}
		return state == "ONLINE" && role == "SECONDARY"
	}, 2*time.Minute, 50*time.Millisecond, "a member is back")
}
