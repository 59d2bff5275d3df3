package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/DATA-DOG/go-sqlmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// What follows no real server does on command. What they do is tested in the module
// integration.

func node(name string) store.Node {
	return store.Node{HostName: name, Port: "1", Type: 2}
}

// needOfTests is that of a layout of which no worker id is leased.
var needOfTests = worker.Need{Unit: time.Second, MaxID: 1 << 22, Fingerprint: "tests"}

func mocked(t *testing.T) (*sql.DB, sqlmock.Sqlmock) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db, mock
}

func expectFile(t *testing.T, mock sqlmock.Sqlmock) {
	rows := sqlmock.NewRows([]string{"file"}).AddRow(t.TempDir())
	mock.ExpectQuery("pragma_database_list").WillReturnRows(rows)
}

// expectSession expects the questions about a session, which is sound.
func expectSession(mock sqlmock.Sqlmock, d dialect) {
	if d.name == "SQLite" {
		mock.ExpectQuery("temp_master").WillReturnRows(sqlmock.NewRows([]string{"name"}).AddRow(nil))
	}
	expectQuery(mock, d, d.session, nil, 0, "here", "all")
	if d.moved != "" {
		mock.ExpectQuery("Com_change_db").WillReturnRows(
			sqlmock.NewRows([]string{"name", "value"}).AddRow("Com_change_db", 0))
	}
	if d.alone != "" {
		mock.ExpectQuery("SHOW CREATE").WillReturnRows(sqlmock.NewRows([]string{"Table", "Create Table"}))
		mock.ExpectExec("SET TRANSACTION").WillReturnResult(sqlmock.NewResult(0, 0))
	}
}

// expectQuery expects a query without arguments, which returns this row.
func expectQuery(mock sqlmock.Sqlmock, d dialect, query string,
	row ...driver.Value) *sqlmock.ExpectedQuery {
	bound, _, name := conn{d: d}.bind(query, nil)
	if name != "" {
		row = append([]driver.Value{name}, row...)
	}
	return mock.ExpectQuery(regexp.QuoteMeta(bound)).WillReturnRows(
		sqlmock.NewRows(make([]string, len(row))).AddRow(row...))
}

func TestKeysThatTheDriverCannotTell(t *testing.T) {
	for says, result := range map[string]driver.Result{
		"lost the generated key": sqlmock.NewErrorResult(errors.New("no LastInsertId here")),
		"key is 0":               sqlmock.NewResult(0, 1),
	} {
		db, mock := mocked(t)
		expectSession(mock, mysql)
		mock.ExpectQuery("read_only").WillReturnRows(sqlmock.NewRows([]string{"is"}).AddRow(true))
		mock.ExpectExec("SET TRANSACTION").WillReturnResult(sqlmock.NewResult(0, 0))
		mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnResult(result)
		_, err := MySQL(db).Register(t.Context(), node("a"), needOfTests.MaxID)
		require.ErrorContains(t, err, says)
	}
}

// No other statement may get into a transaction that could not be taken back.
func TestAConnectionWithAnOpenTransactionIsClosed(t *testing.T) {
	db, mock := mocked(t)
	broken := errors.New("disk I/O error")
	expectFile(t, mock)
	mock.ExpectExec("BEGIN IMMEDIATE").WillReturnResult(sqlmock.NewResult(0, 0))
	expectSession(mock, sqlite)
	mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnRows(
		sqlmock.NewRows([]string{"ID"}).AddRow(5))
	mock.ExpectExec("COMMIT").WillReturnError(broken)
	mock.ExpectExec("ROLLBACK").WillReturnError(broken)
	mock.ExpectClose()
	id, err := SQLite(db).Register(t.Context(), node("a"), needOfTests.MaxID)
	require.ErrorIs(t, err, broken)
	assert.Zero(t, id)
	assert.NoError(t, mock.ExpectationsWereMet())
	assert.Zero(t, db.Stats().OpenConnections)
}

// stateError is an error with a SQLSTATE, as PostgreSQL's drivers have them.
type stateError struct{ state, text string }

func (e stateError) Error() string    { return e.text }
func (e stateError) SQLState() string { return e.state }

// What the errors mean to a start: those that may go away have none of the sentinels with which it
// gives up. Each says what to do, not only that it may be done again.
func TestErrorsThatMayGoAway(t *testing.T) {
	my, pg := &tables{dialect: mysql}, &tables{dialect: postgres}
	number := func(n int) error { return fmt.Errorf("Error %d (HY000): the server's words", n) }
	state := func(s string) error { return stateError{s, "the server's words"} }
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for says, errs := range map[string]map[*tables][]error{
		"keep fewer": {my: {number(1040), number(1203), number(1226)}, pg: {state("53300")}},
		"offline mode": {my: {number(1053), number(3032)},
			pg: {state("57P01"), state("57P03")}},
		"longer than":            {my: {number(3024), number(1969), number(1317)}, pg: {state("57014")}},
		"connect to the primary": {my: {number(1290), number(1242)}, pg: {state("25006")}},
		"host and port":          {pg: {dial(syscall.ECONNREFUSED)}},
		"check host":             {pg: {dial(&net.DNSError{Name: "db"}), &net.DNSError{Name: "db"}}},
		"the connection was closed": {my: {driver.ErrBadConn, errors.New("invalid connection"),
			&net.OpError{Op: "read", Err: syscall.ECONNRESET}}, pg: {io.ErrUnexpectedEOF}},
		"the time of this call": {my: {context.DeadlineExceeded}, pg: {dial(context.DeadlineExceeded)}},
		"within the time":       {my: {fmt.Errorf("%w: %w", errNotSent, context.DeadlineExceeded)}},
		nothing:                 {pg: {stateError{"08P01", "server login failed"}, state("XX000")}},
	} {
		for s, errs := range errs {
			for _, err := range errs {
				err := s.explain("reading", err, nothing)
				assert.ErrorContains(t, err, says)
				for _, is := range []error{worker.ErrStore, worker.ErrClaim, worker.ErrNoTables,
					worker.ErrDenied} {
					assert.NotErrorIs(t, err, is)
				}
			}
		}
	}
	// A deadlock, and what MariaDB says of one since 11.6. TestLeaseWriteThatMayNotWait has others.
	assert.Same(t, undone, my.fault(number(1213)))
	assert.Same(t, undone, my.fault(number(1020)))
	for says, errs := range map[string]map[*tables][]error{
		"check user and password": {my: {number(1045), number(1130)}, pg: {state("28P01")}},
		"GRANT takes a table":     {my: {number(1142), number(1044)}},
		"row level security":      {pg: {state("42501")}},
		"max_prepared_statements": {pg: {state("26000"), stateError{"08P01", `pq: bind message ` +
			`supplies 6 parameters, but prepared statement "" requires 5120`}}},
		"the same for a schema": {my: {number(1049)}, pg: {state("3D000"), state("3F000")}},
		"correct the data source name": {my: {number(1193), number(1298), number(1115)},
			pg: {errors.New("cannot parse `user=u`: bad sslmode"), state("42704"), state("22023")}},
	} {
		for s, errs := range errs {
			for _, err := range errs {
				err := s.explain("reading", err, nothing)
				assert.ErrorContains(t, err, says)
				assert.True(t, errors.Is(err, worker.ErrDenied) || errors.Is(err, worker.ErrClaim) ||
					errors.Is(err, worker.ErrStore) || errors.Is(err, worker.ErrNoTables), err)
			}
		}
	}
}

func TestFileThatStaysLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, mock := mocked(t)
		expectFile(t, mock)
		mock.MatchExpectationsInOrder(false)
		for range 20_000 {
			mock.ExpectExec("BEGIN IMMEDIATE").WillReturnError(
				errors.New("database is locked (5) (SQLITE_BUSY)"))
		}
		begin := time.Now()
		_, err := SQLite(db).Register(t.Context(), node("a"), needOfTests.MaxID)
		require.ErrorContains(t, err, "locked")
		assert.ErrorContains(t, err, "keeps the file locked")
		waited := time.Since(begin) // in the bubble's time
		assert.True(t, 10*time.Second <= waited && waited < 11*time.Second, "waited %v", waited)
	})
}

// The driver mattn/go-sqlite3 needs cgo, and is not run here. Without this name it is NORMAL.
func TestTheDataSourceNameIsMattnsToo(t *testing.T) {
	assert.Contains(t, SQLiteDSN("w.db"), "&_synchronous=EXTRA")
}

// stuck connects when the server answers, whether or not the context has ended, as lib/pq does.
type stuck struct {
	of       driver.Driver
	name     string
	answered chan struct{}
}

func (s stuck) Driver() driver.Driver { return s.of }

func (s stuck) Connect(context.Context) (driver.Conn, error) {
	<-s.answered
	return s.of.Open(s.name)
}

// Nobody waits for such a driver. What it connected in the end is given back.
func TestADriverThatLooksAtNoContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mocked, _, err := sqlmock.NewWithDSN(t.Name())
		require.NoError(t, err)
		defer mocked.Close()
		server := stuck{mocked.Driver(), t.Name(), make(chan struct{})}
		db := sql.OpenDB(server)
		defer db.Close()
		db.SetMaxOpenConns(1)
		s := Postgres(db)
		for _, took := range []time.Duration{4 * time.Second, 3 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			begin := time.Now()
			_, err = s.View(ctx, leasetest.Pool, 0, 9)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.ErrorContains(t, err, "connect_timeout", "also when it keeps the pool's connections")
			assert.Equal(t, took, time.Since(begin))
		}
		close(server.answered)
		synctest.Wait()
		assert.Zero(t, db.Stats().InUse)
		assert.Zero(t, s.(*tables).stuck.Load())
	})
}

// A constructor returns no error, so the first call says what is missing.
func TestNoDatabaseIsAnError(t *testing.T) {
	for name, s := range map[string]Store{"MySQL": MySQL(nil), "PostgreSQL": Postgres(nil),
		"SQLite": SQLite(nil)} {
		_, err := s.Check(t.Context())
		require.ErrorIs(t, err, errNoDB)
		assert.NotErrorIs(t, err, worker.ErrStore, "or a claim may take the risk")
		_, err = s.Register(t.Context(), node("a"), needOfTests.MaxID)
		require.ErrorIs(t, err, errNoDB)
		assert.ErrorIs(t, err, worker.ErrClaim, "no start tries again")
		assert.ErrorContains(t, err, "in "+name+": "+errNoDB.Error())
	}
}

// The texts are read, not run: pkg/parser/mysql/const.go and the variable version_comment of
// pingcap/tidb, go/mysql/config/config.go and go/vt/servenv of vitessio/vitess, pkg/build/info.go
// of cockroachdb/cockroach, the option --with-extra-version of yugabyte/yugabyte-db.
func TestManyServersBehindOneAddress(t *testing.T) {
	for says, c := range map[string]struct {
		d    dialect
		make func(*sql.DB) Store
		is   string
	}{
		"8.0.11-TiDB-v8.5.0 TiDB Server (Apache License 2.0) Community Edition": {mysql, MySQL, "TiDB"},
		"8.0.40 TiDB Server (Apache License 2.0) Community Edition":             {mysql, MySQL, "TiDB"},
		"8.0.40-Vitess Version: 22.0.1 (Git revision 0 branch 'main')":          {mysql, MySQL, "Vitess"},
		"8.0.23-PlanetScale planetscale": {mysql, MySQL,
			"PlanetScale"},
		"CockroachDB CCL v25.4.0 (x86_64-pc-linux-gnu, built 2025/11/03, go1.25)": {postgres, Postgres,
			"CockroachDB"},
		"PostgreSQL 15.2-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu": {postgres, Postgres, "YugabyteDB"},
	} {
		for _, understands := range []bool{true, false} { // the question about the session
			db, mock := mocked(t)
			if understands {
				expectSession(mock, c.d)
			} else {
				expectQuery(mock, c.d, c.d.session, nil).WillReturnError(errors.New("syntax error"))
			}
			expectQuery(mock, c.d, c.d.version, says)
			lossy, err := c.make(db).Check(t.Context())
			assert.False(t, lossy)
			require.ErrorIs(t, err, worker.ErrStore, says)
			require.ErrorContains(t, err, "this is "+c.is+", not "+c.d.name)
			require.ErrorContains(t, err, says)
			assert.NoError(t, mock.ExpectationsWereMet())
		}
	}
}

// The settings are read, not run: pgxn/neon/walproposer_pg.c of neondatabase/neon.
func TestALogThatIsElsewhere(t *testing.T) {
	s := postgresSettings{fsync: "off", awaited: "walproposer", standbys: 1, slots: 2,
		keepers: "g#3:sk-1:5454,sk-2:5454,sk-3:5454"}
	require.NoError(t, s.fit())
	assert.False(t, s.lossy(), "a slot is that of a subscriber: nothing but the log decides")
}

// The answers are read, not run: aurora_version and information_schema.aurora_global_db_status of
// Amazon's pages "Aurora MySQL reference".
func TestAuroraOfSeveralRegions(t *testing.T) {
	broken := errors.New("invalid connection")
	for regions, want := range map[any]any{0: false, 1: false, 2: true, broken: broken,
		errors.New("Error 1227 (42000): Access denied; you need (at least one of) ..."): true} {
		db, mock := mocked(t)
		expectSession(mock, mysql)
		rows := func(pairs ...driver.Value) *sqlmock.Rows {
			r := sqlmock.NewRows([]string{"name", "value"})
			for i := 0; i < len(pairs); i += 2 {
				r.AddRow(pairs[i], pairs[i+1])
			}
			return r
		}
		mock.ExpectQuery("VERSION()").WillReturnRows(
			sqlmock.NewRows([]string{"version"}).AddRow("8.0.42 Source distribution"))
		mock.ExpectQuery("SHOW VARIABLES").WillReturnRows(rows("innodb_flush_log_at_trx_commit", "1",
			"read_only", "OFF", "log_bin", "OFF", "aurora_version", "3.10.0"))
		mock.ExpectQuery("SHOW STATUS").WillReturnRows(rows())
		mock.ExpectQuery("writable_by").WillReturnRows(rows("writable_by", ""))
		mock.ExpectQuery("recent").WillReturnRows(rows("recent", "MySQL"))
		asked := mock.ExpectQuery("aurora_global_db_status")
		if err, failed := regions.(error); failed {
			asked.WillReturnError(err)
		} else {
			asked.WillReturnRows(rows("aurora_regions", regions))
		}
		lossy, err := MySQL(db).Check(t.Context())
		if want == any(broken) {
			require.ErrorIs(t, err, broken)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want, lossy, regions)
	}
}

// counting is a driver whose connections say that there is no table.
type counting struct{ opened int }

func (d *counting) Open(string) (driver.Conn, error) { d.opened++; return tableless{}, nil }

type tableless struct{ driver.Conn }

func (tableless) Prepare(string) (driver.Stmt, error) {
	return nil, errors.New("Error 1146 (42S02): no such table")
}

func (tableless) Close() error { return nil }

// A proxy in front of two servers has new connections go back to the first, and keeps those to
// the second. While both are written to, each raises the floor above what the other may grant.
func TestConnectionsDoNotOutliveAFailBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &counting{}
		name := fmt.Sprintf("mysql %p", d)
		sql.Register(name, d)
		db, err := Open(name, "any")
		require.NoError(t, err)
		defer db.Close()
		for want := 1; want <= 2; want++ {
			for range 3 {
				_, err = db.Nodes(t.Context(), 1)
				require.ErrorIs(t, err, worker.ErrNoTables)
				assert.Equal(t, want, d.opened)
			}
			time.Sleep(time.Minute + time.Second)
		}
	})
}
