package integration

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// What an application leaves on a connection of the pool that it shares with a store.

// unguarded is pgx before 5.9, which gives connections out again that are in a transaction.
type unguarded struct{ *stdlib.Conn }

func (unguarded) ResetSession(context.Context) error { return nil }

// traced is a connection in a driver's wrapper, which hides what it has more than others.
type traced struct{ all }

type all interface {
	driver.Conn
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.SessionResetter
}

type wrapping struct {
	driver.Connector
	wrap func(*stdlib.Conn) driver.Conn
}

func (w wrapping) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := w.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return w.wrap(c.(*stdlib.Conn)), nil
}

// driving is a driver, and how it opens a pool beside that of an env. A variant is one more way to
// PostgreSQL.
type driving struct {
	dialect string
	variant bool
	open    func(env) (*sql.DB, error)
}

var sharing = map[string]driving{
	"MariaDB": {"MariaDB", false, env.pool}, "MySQL": {"MySQL", false, env.pool},
	"SQLite": {"SQLite", false, env.pool}, "pgx": {"PostgreSQL", false, env.pool},
	"lib pq": {"PostgreSQL", true, func(e env) (*sql.DB, error) {
		return sql.Open("postgres", e.dsn)
	}},
	"lib pq with binary_parameters": {"PostgreSQL", true, func(e env) (*sql.DB, error) {
		return sql.Open("postgres", e.dsn+"&binary_parameters=yes")
	}},
	"pgx before 5.9":           {"PostgreSQL", true, unguardedPool("")},
	"pgx before 5.9 with exec": {"PostgreSQL", true, unguardedPool("&default_query_exec_mode=exec")},
	"pgx before 5.9 and the simple protocol": {"PostgreSQL", true,
		unguardedPool("&default_query_exec_mode=simple_protocol")},
	"pgx before 5.9, describing": {"PostgreSQL", true,
		unguardedPool("&default_query_exec_mode=cache_describe")},
}

// forEachSharing runs a test on a database for each driver; for its variants, unless -short says
// that only the server is of interest.
func forEachSharing(t *testing.T, test func(*testing.T, env, driving)) {
	t.Parallel()
	for name, d := range sharing {
		if d.variant && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, among(t, d.dialect), d)
		})
	}
}

func (e env) pool() (*sql.DB, error) { return sql.Open(e.driver, e.dsn) }

func unguardedPool(mode string) func(env) (*sql.DB, error) {
	return func(e env) (*sql.DB, error) {
		config, err := pgx.ParseConfig(e.dsn + mode)
		if err != nil {
			return nil, err
		}
		return sql.OpenDB(wrapping{stdlib.GetConnector(*config),
			func(c *stdlib.Conn) driver.Conn { return unguarded{c} }}), nil
	}
}

// shared is a pool of so many connections, and a store that has used one of them.
func (e env) shared(t *testing.T, open func(env) (*sql.DB, error), connections int) (*sql.DB,
	sqlstore.Store) {
	db, err := open(e)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	s := stores[e.driver](db)
	_, err = s.Check(t.Context())
	require.NoError(t, err)
	return db, s
}

// leave executes statements on all connections of a pool, which opens those that it lacks. Those
// after the first may fail.
func leave(t *testing.T, db *sql.DB, statements ...string) {
	connections := db.Stats().MaxOpenConnections
	if slices.Contains(statements, "BEGIN IMMEDIATE") { // a lock that one can have
		connections = 1
	}
	var all []*sql.Conn
	for range connections {
		c, err := db.Conn(t.Context())
		require.NoError(t, err)
		for i, s := range statements {
			s = strings.ReplaceAll(s, "{number}", strconv.FormatUint(rand.Uint64(), 36))
			if _, err = c.ExecContext(t.Context(), s); i == 0 {
				require.NoError(t, err, s)
			}
		}
		all = append(all, c)
	}
	for _, c := range all {
		require.NoError(t, c.Close())
	}
}

// found are states that a call finds before it does anything, so that two calls show it: in a
// transaction, which db.Exec may be given by mistake, or with what SET leaves. In the database or
// schema elsewhere are the same tables. For a variant of PostgreSQL, the first three are tried:
// the others are the server's, whoever asks.
var found = map[string][]string{
	"mysql": {"BEGIN", "SET autocommit = 0", "XA START 'left{number}'", "START TRANSACTION READ ONLY",
		"USE {elsewhere}", "SET timestamp = UNIX_TIMESTAMP() + 86400", "SET timestamp = 1",
		"SET sql_log_bin = 0", "SET ROLE {role}", "SET sql_select_limit = 2",
		"CREATE TEMPORARY TABLE IF NOT EXISTS uid_lease AS SELECT * FROM uid_lease"},
	"pgx": {"BEGIN; SELECT 1 / 0", "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY",
		"SET search_path = {elsewhere}", "SET ROLE {role}", "SET SESSION AUTHORIZATION {role}",
		"SET default_transaction_read_only = on"},
}

// met are states in which each call has its own statements. For a variant, the first is tried.
var met = map[string][]string{
	"mysql": {"LOCK TABLES others READ", "SET SESSION TRANSACTION READ ONLY",
		"SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
		"CREATE TEMPORARY TABLE IF NOT EXISTS WORKER_NODE (ID INT)",
		"CREATE TEMPORARY TABLE IF NOT EXISTS uid_lease_head (layout INT)"},
	"pgx": {"BEGIN", "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE",
		"CREATE TEMP TABLE IF NOT EXISTS uid_lease_head (layout INT)"},
	"sqlite": {"BEGIN", "BEGIN IMMEDIATE", "BEGIN; SELECT COUNT(*) FROM uid_lease",
		"PRAGMA query_only = ON", "PRAGMA synchronous = OFF",
		"CREATE TEMP TABLE IF NOT EXISTS uid_lease (layout)",
		"CREATE TEMP TABLE IF NOT EXISTS WORKER_NODE (ID INTEGER)"},
}

// elsewhere makes the tables again, as they are, in another place, and a role without rights.
func (e env) elsewhere(t *testing.T) *strings.Replacer {
	if e.driver == "sqlite" {
		return strings.NewReplacer()
	}
	place, role := e.database()+"_elsewhere", e.database()+"_role"
	e.exec("CREATE SCHEMA "+place, "CREATE ROLE "+role, "CREATE TABLE others (n INT)",
		"GRANT "+role+" TO "+map[string]string{"mysql": "CURRENT_USER()", "pgx": "postgres"}[e.driver])
	for _, table := range []string{"uid_lease", "uid_lease_head", "WORKER_NODE"} {
		if e.driver == "mysql" {
			e.exec("CREATE TABLE " + place + "." + table + " LIKE " + table)
		} else {
			e.exec("CREATE TABLE " + place + "." + table + " (LIKE " + table + " INCLUDING ALL)")
		}
		if table != "WORKER_NODE" { // which is empty
			e.exec("INSERT INTO " + place + "." + table + " SELECT * FROM " + table)
		}
	}
	return strings.NewReplacer("{elsewhere}", place, "{role}", role)
}

// What an operator set for all sessions is not the application's, and is ended where it was set.
func TestSettingsOfAllSessions(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"MariaDB", "MySQL"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			e := alone(t, dialect)
			for _, set := range []string{"sql_select_limit = 2", "autocommit = OFF",
				"TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"} {
				e.exec("SET GLOBAL " + set)
				_, err := e.again().Check(t.Context())
				require.ErrorIs(t, err, worker.ErrStore, set)
				assert.NotContains(t, err.Error(), "application")
				_, statement, _ := strings.Cut(err.Error(), ": type ")
				statement, _, typed := strings.Cut(statement, ", and leave it out of the server's conf")
				require.True(t, typed, err)
				e.exec(statement)
				_, err = e.again().Check(t.Context())
				assert.NotContains(t, fmt.Sprint(err), "SET GLOBAL")
			}
		})
	}
}

// Whatever was left, each call is done in the right place, for good, and by the right clock.
func TestCallsOnConnectionsThatWereLeft(t *testing.T) {
	forEachSharing(t, func(t *testing.T, e env, pooled driving) {
		e.inited().leased()
		there := e.elsewhere(t)
		run := func(states []string, connections int, calls func(env, calling)) {
			for _, state := range states {
				t.Run(state, func(t *testing.T) {
					e.t = t
					db, s := e.shared(t, pooled.open, connections)
					calls(e, func(call func(sqlstore.Store) error) {
						t.Helper()
						leave(t, db, strings.Split(there.Replace(state), "; ")...)
						require.NoError(t, call(s))
					})
				})
			}
		}
		found, met, connections := found[e.driver], met[e.driver], 2
		if pooled.variant {
			found, met = found[:3], met[:1]
		}
		run(found, connections, env.twoCalls)
		if e.driver == "pgx" { // which has a process for each
			connections = 1
		}
		run(met, connections, env.allCalls)
	})
}

// calling has a store make a call.
type calling func(call func(sqlstore.Store) error)

// twoCalls writes and reads the row of a worker id, and looks at what was done.
func (e env) twoCalls(do calling) {
	t, ctx := e.t, e.t.Context()
	_, w := row(t, e.Store)
	w.TTL = time.Second
	do(func(s sqlstore.Store) error {
		applied, err := s.Write(ctx, w)
		assert.True(t, applied)
		return err
	})
	r, _ := row(t, e.Store)
	assert.Equal(t, w.Nonce, r.Nonce)
	assertPresent(t, r.Expires)
	assertPresent(t, r.Renewed)
	do(func(s sqlstore.Store) error {
		v, err := s.View(ctx, pool, 0, 3)
		assertPresent(t, v.Now)
		if assert.Len(t, v.Rows, 4) {
			assert.Equal(t, r, v.Rows[2])
		}
		return err
	})
}

func assertPresent(t *testing.T, at time.Time) {
	t.Helper()
	assert.WithinDuration(t, time.Now(), at, 2*time.Minute)
}

// allCalls makes each call of a store, on tables that were just made.
func (e env) allCalls(do calling) {
	t, ctx := e.t, e.t.Context()
	tables := []string{"DROP TABLE uid_lease", "DROP TABLE uid_lease_head", "DROP TABLE WORKER_NODE"}
	e.exec(tables...)
	e.inited().leased()
	e.twoCalls(do)
	do(func(s sqlstore.Store) error { _, err := s.Check(ctx); return err })
	do(func(s sqlstore.Store) error { return s.Kept(ctx) })
	do(func(s sqlstore.Store) error {
		now, err := s.Now(ctx)
		assertPresent(t, now)
		return err
	})

	created, opened := leasetest.Nonce(), leasetest.Nonce()
	read := func(id int64) []store.Row {
		v, err := e.View(ctx, pool, id, id)
		require.NoError(t, err)
		return v.Rows
	}
	do(func(s sqlstore.Store) error { return s.Create(ctx, pool, []int64{9, 8}, created) })
	require.Len(t, read(9), 1)
	assert.Equal(t, created, read(9)[0].Nonce)
	do(func(s sqlstore.Store) error {
		return s.Open(ctx, pool, []int64{9, 8}, created, store.Row{Nonce: opened, Open: true, High: 5})
	})
	assert.Equal(t, opened, read(9)[0].Nonce)

	e.exec("DELETE FROM uid_lease_head WHERE layout > ''")
	raise := func(was store.Head) {
		do(func(s sqlstore.Store) error {
			applied, err := s.Raise(ctx, pool, was, 9, time.Minute)
			assert.True(t, applied)
			return err
		})
		v, err := e.View(ctx, pool, 0, 0)
		require.NoError(t, err)
		assert.Equal(t, v.Server, v.Epoch)
		assert.InDelta(t, pool.TickAt(time.Now()), v.Floor, 12000)
		assert.Equal(t, time.Minute, v.Slack)
	}
	raise(store.Head{})
	e.exec("UPDATE uid_lease_head SET epoch = 'x', floor_tick = 1, slack_ms = 1000 WHERE layout > ''")
	raise(store.Head{Epoch: "x", Floor: 1, Slack: time.Second})
	do(func(s sqlstore.Store) error {
		forgot, err := s.Forget(ctx)
		assert.True(t, forgot)
		return err
	})
	v, err := e.View(ctx, pool, 0, 0)
	require.NoError(t, err)
	assert.Zero(t, v.Head)

	do(func(s sqlstore.Store) error { return s.Delete(ctx, pool.Layout) })
	assert.Empty(t, read(9))
	var id int64
	do(func(s sqlstore.Store) (err error) {
		id, err = s.Register(ctx, node("a"), needOfTests.MaxID)
		return err
	})
	rows, err := e.Nodes(ctx, 0)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Equal(t, rows[0].ID, id)

	e.exec(tables...)
	do(func(s sqlstore.Store) error { return s.CreateTable(ctx) })
	e.must("b")
	assert.Empty(t, read(9))
}

// Without another connection the error says what is wrong, and what to do. The log names it once.
func TestPoolsOfWhichEachConnectionIsLeft(t *testing.T) {
	t.Parallel()
	e := among(t, "MariaDB")
	e = open(t, e.driver, e.dsn+"?autocommit=0", e.server)
	other := e.again()
	require.Error(t, other.Kept(t.Context()))
	assert.LessOrEqual(t, other.Discarded(), int64(6), "none is ended, so more are of no use")
	var log lines
	c := worker.Claim{AllowUnfenced: true, Logger: slog.New(slog.NewTextHandler(&log, nil))}
	_, err := worker.Leased(e.Store, c).Assign(t.Context(), need)
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "its autocommit is off")
	assert.ErrorContains(t, err, "end each transaction")
	assert.NotZero(t, e.Discarded())
	assert.Equal(t, 1, log.has(t, "closed a connection"))
	_, err = worker.Disposable(worker.AllowUnfenced(e.Store)).Assign(t.Context(), needOfTests)
	require.ErrorContains(t, err, "its autocommit is off")
}

// A session's clock that stands still is found where SYSDATE() shows it too.
func TestClockOfASessionWhereSysdateIsNow(t *testing.T) {
	t.Parallel()
	e := alone(t, "MariaDB", testserver.Durable(), testserver.Args("--sysdate-is-now")).inited()
	e.leased()
	db, s := e.shared(t, env.pool, 2)
	e.twoCalls(func(call func(sqlstore.Store) error) {
		leave(t, db, "SET timestamp = UNIX_TIMESTAMP() + 86400")
		require.NoError(t, call(s))
	})
}

// New users and roles, as those who change passwords often make, are no fault.
func TestConnectionsOfAnotherRole(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	e.leased()
	e.exec("CREATE ROLE another SUPERUSER",
		"ALTER ROLE postgres IN DATABASE "+e.database()+" SET role = another")
	_, err := e.again().Store.Check(t.Context())
	require.NoError(t, err)
	db, s := e.shared(t, env.pool, 4)
	leave(t, db)
	e.exec("ALTER ROLE postgres IN DATABASE " + e.database() + " RESET role")
	drain(t, db)
	for range 9 {
		_, err = s.View(t.Context(), pool, 0, 3)
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, s.Discarded(), int64(6))
}

// pooled sends the queries of a kind to another session.
type pooled struct {
	*stdlib.Conn
	kind  string
	other *stdlib.Conn
}

func (p pooled) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (
	driver.Rows, error) {
	if strings.Contains(query, p.kind) {
		return p.other.QueryContext(ctx, query, args)
	}
	return p.Conn.QueryContext(ctx, query, args)
}

// A pooler may give a query another session than the one that was examined. Somebody left this one
// in another schema, whose tables are empty.
func TestQueriesInAnotherSession(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	e.leased()
	place := e.elsewhere(t).Replace("{elsewhere}")
	e.exec("TRUNCATE "+place+".uid_lease",
		"ALTER SEQUENCE worker_node_id_seq RESTART WITH 4") // each refused Register uses up a key
	config, err := pgx.ParseConfig(e.dsn)
	require.NoError(t, err)
	left, err := stdlib.GetConnector(*config).Connect(t.Context())
	require.NoError(t, err)
	other := left.(*stdlib.Conn)
	_, err = other.ExecContext(t.Context(), "SET search_path = "+place, nil)
	require.NoError(t, err)
	view := func(s sqlstore.Store) error { _, err := s.View(t.Context(), pool, 0, 3); return err }
	for kind, call := range map[string]func(sqlstore.Store) error{
		"AS server":              view,
		"pg_get_serial_sequence": view,
		"'fsync'":                func(s sqlstore.Store) error { return s.Kept(t.Context()) },
		"COUNT(CASE": func(s sqlstore.Store) error {
			_, err := s.Register(t.Context(), node("a"), needOfTests.MaxID)
			return err
		},
	} {
		db := sql.OpenDB(wrapping{stdlib.GetConnector(*config), func(c *stdlib.Conn) driver.Conn {
			return pooled{c, kind, other}
		}})
		assert.ErrorContains(t, call(sqlstore.Postgres(db)), "its search_path was set", kind)
		require.NoError(t, db.Close())
	}
}

// cut ends all connections to the database but that of this env.
func (e env) cut(t *testing.T) {
	ids, kill := "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND "+
		"id <> CONNECTION_ID()", "KILL %d"
	if e.driver == "pgx" {
		ids, kill = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND "+
			"pid <> pg_backend_pid()", "SELECT pg_terminate_backend(%d, 60000)"
	}
	c, err := e.db.Conn(t.Context())
	require.NoError(t, err)
	defer c.Close()
	for {
		rows, err := c.QueryContext(t.Context(), ids)
		require.NoError(t, err)
		var all []int
		for rows.Next() {
			all = append(all, 0)
			require.NoError(t, rows.Scan(&all[len(all)-1]))
		}
		require.NoError(t, rows.Err())
		if len(all) == 0 {
			return
		}
		for _, id := range all { // one may have ended by itself
			_, _ = c.ExecContext(t.Context(), fmt.Sprintf(kill, id))
		}
	}
}

// A call finds out by a query that a connection was cut while it was idle, and is made once.
func TestCallsOnConnectionsThatWereCut(t *testing.T) {
	forEachSharing(t, func(t *testing.T, e env, pooled driving) {
		if e.driver == "sqlite" {
			return // which has no connections
		}
		e.inited().leased()
		db, s := e.shared(t, pooled.open, 4)
		e.twoCalls(func(call func(sqlstore.Store) error) {
			leave(t, db)
			e.cut(t)
			require.NoError(t, call(s))
			assert.Zero(t, s.Discarded(), "the application is not to blame")
		})
	})
}

// written has a store write and read the row of a worker id of this env.
func (e env) written(s sqlstore.Store) {
	e.twoCalls(func(call func(sqlstore.Store) error) { require.NoError(e.t, call(s)) })
}

// No connection tells which place is the right one by what the application did to it, not even
// those that were there before the store.
func TestFirstConnectionsThatWereLeft(t *testing.T) {
	forEachSharing(t, func(t *testing.T, e env, pooled driving) {
		if e.driver == "sqlite" {
			return // whose place is the file
		}
		e.inited().leased()
		there := e.elsewhere(t)
		states := []string{"USE {elsewhere}"}
		if e.driver == "pgx" { // whose default search_path begins with the user's schema
			states = []string{"SET search_path = {role}", "SET ROLE {role}"}
			e.exec(there.Replace("ALTER SCHEMA {elsewhere} RENAME TO {role}"),
				there.Replace("GRANT ALL ON SCHEMA {role} TO {role}"),
				there.Replace("GRANT ALL ON ALL TABLES IN SCHEMA {role} TO {role}"))
		}
		for _, state := range states {
			db, err := pooled.open(e)
			require.NoError(t, err)
			t.Cleanup(func() { db.Close() })
			db.SetMaxOpenConns(2)
			leave(t, db, there.Replace(state))
			s := stores[e.driver](db)
			e.written(s)
			drain(t, db)
			e.written(s)
		}
	})
}

// A pgxpool gets a connection back from database/sql, which must not get it again.
func TestConnectionsOfAPgxpoolThatWereLeft(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	e.leased()
	place := e.elsewhere(t).Replace("{elsewhere}")
	p, err := pgxpool.New(t.Context(), e.dsn)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	for _, c := range []driver.Connector{stdlib.GetPoolConnector(p),
		wrapping{stdlib.GetPoolConnector(p), func(c *stdlib.Conn) driver.Conn { return traced{c} }}} {
		db := sql.OpenDB(c)
		t.Cleanup(func() { db.Close() })
		db.SetMaxIdleConns(0) // each goes back to the pgxpool
		s := sqlstore.Postgres(db)
		for range 3 { // also before the first call
			var all []*pgxpool.Conn
			for range 3 {
				c, err := p.Acquire(t.Context())
				require.NoError(t, err)
				_, err = c.Exec(t.Context(), "SET search_path = "+place)
				require.NoError(t, err)
				all = append(all, c)
			}
			for _, c := range all {
				c.Release()
			}
			e.written(s)
		}
		assert.LessOrEqual(t, s.Discarded(), int64(12), "each is ended when it comes again")
	}
}

// A view of several statements shows none of what another has not committed.
func TestViewsWhereUncommittedRowsAreShown(t *testing.T) {
	for _, dialect := range []string{"MariaDB", "MySQL"} {
		e := among(t, dialect).inited()
		e.leased()
		db, s := e.shared(t, env.pool, 1)
		_, w := row(t, e.Store)
		_, err := s.Write(t.Context(), w) // so that its views look at the row first, alone
		require.NoError(t, err)
		w.Expect[0], w.Nonce = w.Nonce, leasetest.Nonce()
		_, err = e.Write(t.Context(), w)
		require.NoError(t, err)
		leave(t, db, "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")
		tx, err := e.db.Begin()
		require.NoError(t, err)
		t.Cleanup(func() { tx.Rollback() })
		_, err = tx.Exec("UPDATE uid_lease SET nonce = ? WHERE worker_id = ?", make([]byte, 16), w.Worker)
		require.NoError(t, err)
		v, err := s.View(t.Context(), pool, w.Worker, w.Worker)
		require.NoError(t, err)
		assert.Equal(t, w.Nonce, v.Rows[0].Nonce, dialect)
	}
}

// shifting is the clock that PostgreSQL reads, ahead by as many seconds as a file has bytes.
const shifting = `#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
int gettimeofday(struct timeval *restrict v, void *restrict z) {
  struct stat is;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  v->tv_sec = t.tv_sec + (stat("FILE", &is) ? 0 : is.st_size);
  v->tv_usec = t.tv_nsec / 1000;
  return 0;
}`

// The server's clock was set back since the application began the transaction that it left.
func TestClockSetBackInATransaction(t *testing.T) {
	dir := testserver.TempDir(t)
	require.NoError(t, os.Chmod(dir, 0o755))
	file, library := filepath.Join(dir, "ahead"), filepath.Join(dir, "clock.so")
	cc := exec.Command("cc", "-shared", "-fPIC", "-o", library, "-xc", "-")
	cc.Stdin = strings.NewReader(strings.Replace(shifting, "FILE", file, 1))
	if said, err := cc.CombinedOutput(); err != nil {
		testserver.Missing(t, "PostgreSQL", "a C compiler, for a clock that is set: "+string(said))
	}
	t.Setenv("UID_TEST_CLOCK_PRELOAD", library)
	e := durable(t, "PostgreSQL").inited()
	e.leased()
	db, s := e.shared(t, sharing["lib pq"].open, 1)
	require.NoError(t, os.WriteFile(file, make([]byte, 3600), 0o644))
	leave(t, db, "BEGIN")
	require.NoError(t, os.Remove(file))
	e.written(s)
}
