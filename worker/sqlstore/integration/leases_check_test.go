package integration

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// checks says what Check must answer: a class, or a word of the error.
func checks(t *testing.T, class worker.Class, err error, want any) {
	t.Helper()
	if word, ok := want.(string); ok {
		assert.ErrorContains(t, err, word)
		assert.Equal(t, word != "read-only", errors.Is(err, worker.ErrStore), err)
		return
	}
	require.NoError(t, err)
	assert.Equal(t, want, class)
}

// check asks the real server, with its name changed.
func (e env) check(t *testing.T, want any, old, new string) {
	t.Helper()
	class := worker.Fenced
	lossy, err := e.at(old, new).Store.Check(t.Context())
	if lossy {
		class = worker.FencedLossy
	}
	checks(t, class, err, want)
}

type setting struct {
	set  string
	want any
}

// checkWith asks after each setting.
func (e env) checkWith(t *testing.T, settings []setting) {
	t.Helper()
	for _, s := range settings {
		e.exec("SET GLOBAL " + s.set)
		e.again().check(t, s.want, "", "")
	}
}

// starts says what a start of Disposable must answer, in the words of Leased: nothing, or a
// word of the error, and then a worker id of another class for who accepts the risk.
func (e env) starts(t *testing.T, word string) {
	t.Helper()
	lease, err := worker.Disposable(e.Store).Assign(t.Context(), needOfTests)
	want := worker.NeverReused
	if word == "" {
		require.NoError(t, err)
		assert.Equal(t, want, lease.Class())
	} else {
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, word)
		want = worker.Unfenced
	}
	lease, err = worker.Disposable(worker.AllowUnfenced(e.Store)).Assign(t.Context(), needOfTests)
	require.NoError(t, err)
	assert.Equal(t, want, lease.Class())
}

func TestCheckMariaDB(t *testing.T) {
	t.Parallel()
	e := alone(t, "MariaDB", testserver.Durable(),
		testserver.Args("--log-bin", "--sync-binlog=1", "--binlog-format=ROW"))
	e.check(t, worker.FencedLossy, "", "")
	e.check(t, "autocommit", "/test", "/test?autocommit=0")
	e.check(t, "READ-UNCOMMITTED", "/test", "/test?tx_isolation='READ-UNCOMMITTED'")
	e.checkWith(t, []setting{
		{"sql_mode = 'EMPTY_STRING_IS_NULL'", "EMPTY_STRING_IS_NULL"},
		{"sql_mode = DEFAULT", worker.FencedLossy},
		{"binlog_format = STATEMENT", "STATEMENT"},
	})
	e.again().inited().starts(t, "") // which is about leases alone
	e.checkWith(t, []setting{
		{"binlog_format = ROW", worker.FencedLossy},
		{"rpl_semi_sync_master_timeout = 18446744073709551615", worker.FencedLossy},
		{"rpl_semi_sync_master_wait_point = AFTER_SYNC", worker.FencedLossy},
		{"rpl_semi_sync_master_enabled = ON", worker.Fenced},
		{"rpl_semi_sync_master_wait_no_slave = OFF", worker.FencedLossy},
		{"sync_binlog = 0", "sync_binlog"},
		{"read_only = ON", "read-only"},
		{"read_only = OFF", "sync_binlog"},
		{"innodb_flush_log_at_trx_commit = 0", "innodb_flush_log_at_trx_commit is 0"},
	})
	e.again().starts(t, "innodb_flush_log_at_trx_commit is 0")

	first := e.incarnation(t)
	e.exec("CHANGE MASTER TO MASTER_HOST = '127.0.0.1'")
	assert.NotEqual(t, first, e.incarnation(t), "it counts how often it was told to follow another")
	e.checkWith(t, []setting{{"rpl_semi_sync_master_wait_no_slave = ON, GLOBAL sync_binlog = 1, " +
		"GLOBAL innodb_flush_log_at_trx_commit = 1", worker.Fenced}})
	e.exec("START SLAVE SQL_THREAD")
	e.check(t, worker.FencedLossy, "", "")
}

// MySQL writes a binary log, by rows, and waits for the disk, unless it is told otherwise.
func TestCheckMySQL(t *testing.T) {
	t.Parallel()
	e := alone(t, "MySQL", testserver.Durable(),
		testserver.Args("--plugin-load-add=semisync_source.so"))
	e.check(t, worker.FencedLossy, "", "")
	e.check(t, "autocommit", "/test", "/test?autocommit=0")
	e.check(t, "sql_log_bin", "/test", "/test?sql_log_bin=0")
	e.check(t, "READ-UNCOMMITTED", "/test", "/test?transaction_isolation='READ-UNCOMMITTED'")
	e.checkWith(t, []setting{
		{"rpl_semi_sync_source_timeout = 4294967295000", worker.FencedLossy},
		{"rpl_semi_sync_source_wait_point = AFTER_SYNC", worker.FencedLossy},
		{"rpl_semi_sync_source_enabled = ON", worker.Fenced},
		{"rpl_semi_sync_source_wait_no_replica = OFF", worker.FencedLossy},
		{"rpl_semi_sync_source_wait_no_replica = ON", worker.Fenced},
		{"rpl_semi_sync_source_wait_point = AFTER_COMMIT", worker.FencedLossy},
		{"sync_binlog = 0", "sync_binlog"},
		{"read_only = ON", "read-only"},
		{"read_only = OFF", "sync_binlog"},
		{"super_read_only = ON", "read-only"},
		{"innodb_flush_log_at_trx_commit = 2", "innodb_flush_log_at_trx_commit"},
	})
}

// A table of an engine that a restart or a crash empties is refused, to who may read it alone.
func TestTablesOfOtherEngines(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		if e.driver == "pgx" {
			t.Skip("PostgreSQL has one engine")
		}
		e.inited()
		user := e.lessee()
		for table, engine := range map[string]string{"WORKER_NODE": "MEMORY", "uid_lease": "MyISAM",
			"uid_lease_head": "MyISAM"} {
			user.starts(t, "")
			e.exec("ALTER TABLE " + table + " ENGINE = " + engine)
			user.starts(t, "ALTER TABLE "+table+" ENGINE = InnoDB")
			user.check(t, "ALTER TABLE "+table+" ENGINE = InnoDB", "", "")
			e.exec("ALTER TABLE " + table + " ENGINE = InnoDB")
		}
	})
}

// Where capitals count, a program whose table is worker_node has keys that would be given again.
func TestATableOfKeysInLowerCase(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		const rename = "RENAME TABLE worker_node TO WORKER_NODE"
		if e.driver == "pgx" {
			t.Skip("PostgreSQL's is in TestCheckPostgres")
		}
		e.exec("CREATE TABLE worker_node (ID INT, LAUNCH_DATE DATE)")
		e.inited()
		e.check(t, "type "+rename, "", "")
		e.starts(t, "type "+rename)
		e.exec("DROP TABLE WORKER_NODE", rename, "CREATE VIEW worker_node AS SELECT * FROM WORKER_NODE")
		_, err := e.Check(t.Context())
		require.NoError(t, err)
	})
}

// Who never was told to, writes no binary log.
func TestCheckMySQLAlone(t *testing.T) {
	t.Parallel()
	e := alone(t, "MySQL", testserver.Durable(), testserver.Args("--disable-log-bin"))
	e.check(t, worker.Fenced, "", "")
}

// Everybody may give a setting of any name in the configuration, as Neon's, which pg_settings does
// not show.
func TestCheckPostgres(t *testing.T) {
	t.Parallel()
	e := alone(t, "PostgreSQL", testserver.Durable(),
		testserver.Args("-c", "neon.safekeepers=localhost:5454"))
	e.check(t, worker.Fenced, "", "")
	e.check(t, worker.Fenced, "?", "?synchronous_commit=off&") // leases set it themselves
	e.check(t, "read-only", "?", "?default_transaction_read_only=on&")
	// a standby has it, and is not connected
	e.exec("SELECT pg_create_physical_replication_slot('away')")
	e.check(t, worker.FencedLossy, "", "")
	e.exec("SELECT pg_drop_replication_slot('away')")
	e.leased()
	e.exec("ALTER TABLE uid_lease SET UNLOGGED")
	e.check(t, "UNLOGGED", "", "")
	e.exec("ALTER TABLE uid_lease SET LOGGED", "CREATE FOREIGN DATA WRAPPER far",
		"CREATE SERVER far FOREIGN DATA WRAPPER far",
		"CREATE FOREIGN TABLE WORKER_NODE (ID INT) SERVER far")
	e.check(t, "its own server", "", "")
	e.exec("DROP FOREIGN TABLE WORKER_NODE")
	e.inited()
	e.exec(`ALTER TABLE WORKER_NODE RENAME TO "WORKER_NODE"`)
	const rename = `ALTER TABLE "WORKER_NODE" RENAME TO worker_node`
	e.check(t, "type "+rename, "", "")
	e.exec(rename)
	e.check(t, worker.Fenced, "", "")
	set := func(name, value string) {
		e.exec("ALTER SYSTEM SET "+name+" = "+value, "SELECT pg_reload_conf()")
		leasetest.Until(t, name, func() (err error) {
			is := ""
			if err = e.db.QueryRow("SHOW " + name).Scan(&is); err == nil && is != value {
				err = errors.New(is)
			}
			return err
		})
	}
	set("fsync", "off")
	e.check(t, "fsync is off", "", "")
	e.exec("DROP TABLE uid_lease") // whose worker ids the keys would meet
	e.inited().starts(t, "fsync is off")
	set("synchronous_standby_names", "walproposer")
	e.check(t, "fsync is off", "", "")
}

// A server whose table has another's rows, too, as with publications in both directions, is
// refused: while both take writes, both give out one worker id.
func TestCheckASubscriber(t *testing.T) {
	t.Parallel()
	from := among(t, "PostgreSQL")
	e := from.fresh(t)
	from.leased()
	e.leased()
	from.exec("CREATE PUBLICATION leases FOR TABLE uid_lease")
	host, port, err := net.SplitHostPort(e.server.Addr())
	require.NoError(t, err)
	e.exec(fmt.Sprintf(`CREATE SUBSCRIPTION leases CONNECTION 'host=%s port=%s user=postgres dbname=%s'
PUBLICATION leases WITH (enabled = false, create_slot = false, slot_name = NONE)`, host, port,
		from.database()))
	from.check(t, worker.Fenced, "", "")
	e.check(t, "a subscription", "", "")
	e.exec("DROP SUBSCRIPTION leases")
	e.check(t, worker.Fenced, "", "")
}

// What Amazon's function says. Who may not call it is told nothing, so there may be other regions.
func TestAuroraOfSeveralRegions(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL")
	for regions, want := range map[int]worker.Class{0: worker.Fenced, 1: worker.Fenced,
		2: worker.FencedLossy} {
		e.exec("DROP FUNCTION IF EXISTS aurora_global_db_status()")
		e.exec(fmt.Sprintf(`CREATE FUNCTION aurora_global_db_status() RETURNS SETOF INT
LANGUAGE sql AS 'SELECT generate_series(1, %d)'`, regions))
		e.check(t, want, "", "")
	}
	e.exec("REVOKE EXECUTE ON FUNCTION aurora_global_db_status() FROM PUBLIC")
	e.exec("CREATE USER guest")
	e.check(t, worker.FencedLossy, "?", "?role=guest&")
}

func TestCheckSQLite(t *testing.T) {
	e := onSQLite(t)
	wait, err := e.number("PRAGMA busy_timeout")
	require.NoError(t, err)
	assert.EqualValues(t, 10, wait, "milliseconds")
	e.check(t, worker.Fenced, "", "")
	e.check(t, worker.Fenced, "EXTRA", "FULL")
	e.check(t, "synchronous", "EXTRA", "NORMAL")
	e.check(t, "synchronous", "EXTRA", "OFF")
	e.check(t, "journal_mode", "?", "?_pragma=journal_mode(MEMORY)&")
	e.check(t, worker.Fenced, "?", "?_pragma=journal_mode(WAL)&")
	path, _, _ := strings.Cut(strings.TrimPrefix(e.dsn, "file:"), "?")
	require.NoError(t, os.Link(path, path+".another"))
	e.check(t, "another hard link", "?", "?")
}

// In memory each process, and each connection, has a database of its own: all begin with
// the same worker id. Nobody can accept that.
func TestDisposableInMemory(t *testing.T) {
	for _, dsn := range []string{
		"", ":memory:", sqlstore.SQLiteDSN(":memory:"), "file::memory:?cache=shared",
		"file:named?mode=memory&cache=shared", "file:named?vfs=memdb",
	} {
		t.Run(dsn, func(t *testing.T) {
			e := open(t, "sqlite", dsn, nil)
			_, checking := e.Store.Check(t.Context())
			_, registering := e.Register(t.Context(), node("a"), needOfTests.MaxID)
			_, starting := worker.Disposable(e.Store).Assign(t.Context(), needOfTests)
			unfenced := worker.Disposable(worker.AllowUnfenced(e.Store))
			_, accepting := unfenced.Assign(t.Context(), needOfTests)
			for what, err := range map[string]error{
				"Check": checking, "CreateTable": e.CreateTable(t.Context()), "Register": registering,
				"Assign": starting, "AllowUnfenced": accepting,
			} {
				require.ErrorIs(t, err, worker.ErrStore, what)
				assert.ErrorContains(t, err, "in memory", what)
			}
		})
	}
}
