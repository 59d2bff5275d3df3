package integration

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// env is an empty database of one dialect, for one test.
type env struct {
	t      *testing.T
	driver string
	dsn    string
	db     *sql.DB
	server *testserver.Server // nil for SQLite
	sqlstore.Store
}

// node is what the tests register, under a name that they look for.
func node(name string) store.Node {
	return store.Node{
		HostName:   name,
		Port:       "1772600767089-4711",
		Type:       2,
		LaunchDate: time.Date(2026, 3, 4, 23, 59, 59, 0, time.FixedZone("", 3600)),
	}
}

// needOfTests is that of a layout of which no worker id is leased.
var needOfTests = worker.Need{Unit: time.Second, MaxID: 1 << 22, Fingerprint: "tests"}

// servers are the dialects that have one, with its driver.
var servers = map[string]struct {
	driver string
	start  func(testing.TB, ...testserver.Option) *testserver.Server
}{
	"MariaDB": {"mysql", testserver.MariaDB}, "MySQL": {"mysql", testserver.MySQL},
	"PostgreSQL": {"pgx", testserver.Postgres},
}

// shared are durable servers for all tests that leave them as they were. TestMain fills it.
var shared = map[string]*testserver.Shared[*testserver.Server]{}

// among returns an empty database of the test's own on the server that tests share.
func among(t *testing.T, dialect string) env {
	if dialect == "SQLite" {
		return onSQLite(t)
	}
	s := shared[dialect].Get(t)
	return open(t, servers[dialect].driver, s.DSN(), s).fresh(t)
}

// alone returns an empty database on a server of the test's own.
func alone(t *testing.T, dialect string, options ...testserver.Option) env {
	s := servers[dialect].start(t, options...)
	return open(t, servers[dialect].driver, s.DSN(), s)
}

// durable returns one for a test that stops or changes its server, or looks at all sessions of it.
func durable(t *testing.T, dialect string) env { return alone(t, dialect, testserver.Durable()) }

// forEachServer runs a test on an empty database of each, which is got with among or durable. It
// runs beside other tests, as all do that mostly wait for servers.
func forEachServer(t *testing.T, get func(*testing.T, string) env, test func(*testing.T, env)) {
	t.Parallel()
	for name := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, get(t, name))
		})
	}
}

// forEachDialect runs a test on SQLite, too.
func forEachDialect(t *testing.T, test func(*testing.T, env)) {
	forEachServer(t, among, test)
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, onSQLite(t))
	})
}

func onSQLite(t *testing.T) env {
	return open(t, "sqlite", sqlstore.SQLiteDSN(filepath.Join(testserver.TempDir(t), "w.db")), nil)
}

func open(t *testing.T, driver, dsn string, server *testserver.Server) env {
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() }) // complains when a server has been killed
	return env{t, driver, dsn, db, server, stores[driver](db)}
}

// at is the same database by another name: another user, a proxy.
func (e env) at(old, new string) env {
	require.Contains(e.t, e.dsn, old)
	return open(e.t, e.driver, strings.ReplaceAll(e.dsn, old, new), e.server)
}

// fresh is an empty database beside this one, on the same server.
func (e env) fresh(t *testing.T) env {
	if e.driver == "sqlite" {
		return onSQLite(t)
	}
	e.t = t
	name, how, end := fmt.Sprintf("t%d", rand.Uint32()), "", ""
	if e.driver == "pgx" { // which else writes the whole of it to its log
		how, end = " STRATEGY file_copy", " WITH (FORCE)"
	}
	e.exec("CREATE DATABASE " + name + how)
	t.Cleanup(func() { e.db.Exec("DROP DATABASE " + name + end) }) // if the server still runs
	host, path, _ := strings.Cut(e.dsn, e.server.Addr())
	path = strings.Replace(path, e.database(), name, 1)
	return open(t, e.driver, host+e.server.Addr()+path, e.server)
}

// again is the same database on fresh connections.
func (e env) again() env { return open(e.t, e.driver, e.dsn, e.server) }

// database is the name of the database on its server.
func (e env) database() string {
	_, name, _ := strings.Cut(e.dsn, e.server.Addr())
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("()/?", r) })[0]
}

// inited is the env with its table made.
func (e env) inited() env {
	require.NoError(e.t, e.CreateTable(e.t.Context()))
	return e
}

// must registers and returns the id.
func (e env) must(name string) int64 {
	e.t.Helper()
	id, err := e.Register(e.t.Context(), node(name), needOfTests.MaxID)
	require.NoError(e.t, err)
	return id
}

// exec runs statements of the test's own.
func (e env) exec(statements ...string) {
	e.t.Helper()
	for _, s := range statements {
		_, err := e.db.ExecContext(e.t.Context(), s)
		for err != nil && e.driver == "sqlite" && strings.Contains(err.Error(), "locked") {
			_, err = e.db.ExecContext(e.t.Context(), s) // which waits ten milliseconds
		}
		require.NoError(e.t, err, s)
	}
}

// insertLikeJava adds a row with the statement that Baidu's mapper sends.
func (e env) insertLikeJava(name string) {
	now := "NOW()"
	if e.driver == "sqlite" { // which has no NOW()
		now = "CURRENT_TIMESTAMP"
	}
	e.exec(fmt.Sprintf(`INSERT INTO WORKER_NODE
(HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
VALUES ('%s', '8080', 1, '2026-03-05', %s, %s)`, name, now, now))
}

// lines are what was logged, by any goroutine.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// has waits for a line, and returns how many there are.
func (l *lines) has(t *testing.T, what string) (n int) {
	t.Helper()
	leasetest.Until(t, what, func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if n = strings.Count(l.text.String(), what); n == 0 {
			return errors.New(l.text.String())
		}
		return nil
	})
	return n
}
