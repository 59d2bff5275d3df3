package integration

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// binlogging is MariaDB that writes a binary log and waits for the disk.
func binlogging(t *testing.T, serverID int, args ...string) env {
	return onMariaDB(t, testserver.Durable(), testserver.Args(append(args,
		fmt.Sprint("--server-id=", serverID), "--log-bin", "--log-slave-updates", "--binlog-format=ROW", "--sync-binlog=1")...))
}

// replicating is MariaDB with a replica that follows it by GTID.
func replicating(t *testing.T, args ...string) couple {
	c := coupled(binlogging(t, 1, args...), func(link *testserver.Proxy) env {
		replica := binlogging(t, 2, append(args, "--read-only")...)
		replica.follow(link.Addr())
		return replica
	})
	c.inStepMariaDB(t)
	return c
}

// follow makes e a replica of the server at addr.
func (e env) follow(addr string) {
	host, port, err := net.SplitHostPort(addr)
	require.NoError(e.t, err)
	e.exec(fmt.Sprintf("CHANGE MASTER TO MASTER_HOST='%s', MASTER_PORT=%s, MASTER_USER='root', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1", host, port),
		"START SLAVE")
}

// inStepMariaDB waits until the replica has all that the primary has.
func (c couple) inStepMariaDB(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		var have, want string
		return c.primary.db.QueryRow("SELECT @@gtid_binlog_pos").Scan(&want) == nil &&
			c.replica.db.QueryRow("SELECT @@gtid_slave_pos").Scan(&have) == nil && have == want
	}, time.Minute, 5*time.Millisecond, "the replica is in step")
}

// promoteMariaDB is what makes a replica the primary.
var promoteMariaDB = []string{"STOP SLAVE", "RESET SLAVE ALL", "SET GLOBAL read_only = OFF"}

// A replica is promoted that never heard of the latest grants.
func TestMariaDBFailsOverAndLosesGrants(t *testing.T) {
	t.Parallel()
	withAndWithoutFloor(t, func(t *testing.T) (couple, failover.Pair) {
		c := replicating(t)
		c.class(t, store.FencedLossy)
		return c, c.pair(t, c.inStepMariaDB, promoteMariaDB...)
	})
}

// With semi-sync AFTER_SYNC and an endless timeout the replica has all that was
// acknowledged, however the primary fails.
func TestMariaDBFailsOverAndKeepsGrants(t *testing.T) {
	t.Parallel()
	keepsGrants(t, couple.inStepMariaDB, promoteMariaDB, func(t *testing.T) couple { return semiSyncMariaDB(t) })
}

func semiSyncMariaDB(t *testing.T, args ...string) couple {
	c := replicating(t, append(args, "--rpl-semi-sync-slave-enabled=ON", "--rpl-semi-sync-master-wait-point=AFTER_SYNC",
		"--rpl-semi-sync-master-timeout=18446744073709551615")...)
	c.primary.exec("SET GLOBAL rpl_semi_sync_master_enabled = ON")
	return c
}

// A primary that goes on alone when it loses its replica is not what it seems.
func TestMariaDBThatGoesOnWithoutItsReplica(t *testing.T) {
	t.Parallel()
	c := semiSyncMariaDB(t, "--rpl-semi-sync-master-wait-no-slave=OFF")
	goesOnAlone(t, c, couple.inStepMariaDB, promoteMariaDB)
}

// A role that is handed over and comes back, without a restart.
func TestMariaDBFailsBackAndLosesGrants(t *testing.T) {
	t.Parallel()
	failsBack(t, replicating(t), couple.inStepMariaDB, promoteMariaDB, func(e env, addr string) {
		e.exec("SET GLOBAL read_only = ON")
		e.follow(addr)
	})
}
