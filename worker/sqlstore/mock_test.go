package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"regexp"
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
	mock.ExpectQuery(regexp.QuoteMeta(d.session)).WillReturnRows(
		sqlmock.NewRows([]string{"wrong", "since", "place", "settings"}).AddRow(nil, 0, "here", "all"))
	if d.alone != "" {
		mock.ExpectExec("SET TRANSACTION").WillReturnResult(sqlmock.NewResult(0, 0))
	}
}

func TestKeysThatTheDriverCannotTell(t *testing.T) {
	for says, result := range map[string]driver.Result{
		"lost the generated key": sqlmock.NewErrorResult(errors.New("no LastInsertId here")),
		"key is 0":               sqlmock.NewResult(0, 1),
	} {
		db, mock := mocked(t)
		expectSession(mock, mysql)
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

// A server that rolls a lease's write back because others write has not applied it.
func TestLeaseWriteInADeadlock(t *testing.T) {
	for _, says := range []string{
		"Error 1213 (40001): Deadlock found when trying to get lock",
		// MariaDB since 11.6
		"Error 1020 (HY000): Record has changed since last read in table 'uid_lease_head'",
	} {
		db, mock := mocked(t)
		expectSession(mock, mysql)
		mock.ExpectExec("UPDATE uid_lease").WillReturnError(errors.New(says))
		applied, err := MySQL(db).Write(t.Context(), store.Write{
			Pool: leasetest.Pool, Expect: make([]store.Nonce, 1)})
		require.NoError(t, err)
		assert.False(t, applied)
	}
}

// stateError is an error with a SQLSTATE, as PostgreSQL's drivers have them.
type stateError struct{ state, text string }

func (e stateError) Error() string    { return e.text }
func (e stateError) SQLState() string { return e.state }

// What a pooler before PostgreSQL refuses was not executed.
func TestPoolersAreExplained(t *testing.T) {
	db, mock := mocked(t)
	expectSession(mock, postgres)
	mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnError(
		stateError{"26000", `prepared statement "stmt_1" does not exist`})
	_, err := Postgres(db).Register(t.Context(), node("a"), needOfTests.MaxID)
	require.ErrorContains(t, err, "max_prepared_statements")
	assert.NotContains(t, err.Error(), "trying again is safe")
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

// A constructor returns no error, so the first call says what is missing.
func TestNoDatabaseIsAnError(t *testing.T) {
	for name, s := range map[string]Store{"MySQL": MySQL(nil), "PostgreSQL": Postgres(nil),
		"SQLite": SQLite(nil)} {
		_, err := s.Check(t.Context())
		require.ErrorIs(t, err, errNoDB)
		assert.NotErrorIs(t, err, worker.ErrStore, "or a claim may take the risk")
		_, err = s.Register(t.Context(), node("a"), needOfTests.MaxID)
		require.ErrorIs(t, err, errNoDB)
		assert.ErrorContains(t, err, "in "+name+": the *sql.DB that the store was made with is nil")
	}
}
