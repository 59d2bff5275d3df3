package integration

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// replicatingMySQL is MySQL with a replica that follows it by GTID.
func replicatingMySQL(t *testing.T, args ...string) couple {
	c := coupled(sourceMySQL(t, 1, args...), func(link *testserver.Proxy) env {
		replica := sourceMySQL(t, 2, append(args, "--super-read-only=ON")...)
		replica.followMySQL(link.Addr())
		return replica
	})
	c.inStepMySQL(t)
	return c
}

func sourceMySQL(t *testing.T, serverID int, args ...string) env {
	return onMySQL(t, testserver.Durable(), testserver.Args(append([]string{fmt.Sprint("--server-id=", serverID),
		"--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--plugin-load-add=semisync_source.so",
		"--plugin-load-add=semisync_replica.so"}, args...)...))
}

// followMySQL makes e a replica of the server at addr.
func (e env) followMySQL(addr string) {
	e.t.Helper()
	host, port, err := net.SplitHostPort(addr)
	require.NoError(e.t, err)
	e.exec(fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST='%s', SOURCE_PORT=%s, SOURCE_USER='root', SOURCE_AUTO_POSITION=1, SOURCE_CONNECT_RETRY=1", host, port),
		"START REPLICA")
}

// inStepMySQL waits until the replica has all that the primary has.
func (c couple) inStepMySQL(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		var has bool
		var want string
		return c.primary.db.QueryRow("SELECT @@gtid_executed").Scan(&want) == nil &&
			c.replica.db.QueryRow("SELECT GTID_SUBSET(?, @@gtid_executed)", want).Scan(&has) == nil && has
	}, time.Minute, 5*time.Millisecond, "the replica is in step")
}

// promoteMySQL is what makes a replica the primary.
var promoteMySQL = []string{"STOP REPLICA", "RESET REPLICA ALL", "SET GLOBAL read_only = OFF"}

// semiSynchronous has the primary wait for a replica, for ever.
var semiSynchronous = []string{"--rpl-semi-sync-replica-enabled=ON", "--rpl-semi-sync-source-wait-point=AFTER_SYNC",
	"--rpl-semi-sync-source-timeout=4294967295000"}

// awaiting turns semi-synchronous replication on, and waits until so many replicas are heard of.
func (c couple) awaiting(t *testing.T, replicas string) {
	t.Helper()
	c.primary.exec("SET GLOBAL rpl_semi_sync_source_enabled = ON")
	require.Eventually(t, func() bool {
		var name, value string
		return c.primary.db.QueryRow("SHOW STATUS LIKE 'Rpl_semi_sync_source_clients'").Scan(&name, &value) == nil && value == replicas
	}, time.Minute, 5*time.Millisecond, "the primary knows its replicas")
}

// A replica is promoted that never heard of the latest grants.
func TestMySQLFailsOverAndLosesGrants(t *testing.T) {
	t.Parallel()
	withAndWithoutFloor(t, func(t *testing.T) (couple, failover.Pair) {
		c := replicatingMySQL(t)
		c.class(t, store.FencedLossy)
		return c, c.pair(t, c.inStepMySQL, promoteMySQL...)
	})
}

// With semi-synchronous replication, AFTER_SYNC and an endless timeout, the replica has
// all that was acknowledged, however the primary fails.
func TestMySQLFailsOverAndKeepsGrants(t *testing.T) {
	t.Parallel()
	keepsGrants(t, couple.inStepMySQL, promoteMySQL, func(t *testing.T) couple {
		c := replicatingMySQL(t, semiSynchronous...)
		c.awaiting(t, "1")
		return c
	})
}

// A primary that goes on alone when it loses its replica is not what it seems.
func TestMySQLThatGoesOnWithoutItsReplica(t *testing.T) {
	t.Parallel()
	c := replicatingMySQL(t, append(semiSynchronous, "--rpl-semi-sync-source-wait-no-replica=OFF")...)
	c.awaiting(t, "1")
	goesOnAlone(t, c, couple.inStepMySQL, promoteMySQL)
}

// One of two replicas is awaited, and the other one promoted.
func TestMySQLWhoseOtherReplicaIsPromoted(t *testing.T) {
	t.Parallel()
	c := replicatingMySQL(t, semiSynchronous...)
	c.awaiting(t, "1")
	c.class(t, store.Fenced)
	other := sourceMySQL(t, 3, append(semiSynchronous, "--super-read-only=ON")...)
	other.followMySQL(c.primary.server.Addr())
	c.awaiting(t, "2")
	c.primary.exec("SET GLOBAL rpl_semi_sync_source_wait_for_replica_count = 2")
	c.class(t, store.Fenced)
	c.primary.exec("SET GLOBAL rpl_semi_sync_source_wait_for_replica_count = 1")
	c.class(t, store.FencedLossy)
	assert.Empty(t, failover.Lossy(t, c.pair(t, c.inStepMySQL, promoteMySQL...)))
}

// A role that is handed over and comes back, without a restart.
func TestMySQLFailsBackAndLosesGrants(t *testing.T) {
	t.Parallel()
	failsBack(t, replicatingMySQL(t), couple.inStepMySQL, promoteMySQL, func(e env, addr string) {
		e.exec("SET GLOBAL super_read_only = ON")
		e.followMySQL(addr)
	})
}
