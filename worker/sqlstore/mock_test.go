package sqlstore

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/DATA-DOG/go-sqlmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// What follows no real server does on command. What they do is tested in the module
// integration.

func node(name string) worker.Node {
	return worker.Node{HostName: name, Port: "1", Type: worker.Actual}
}

// needOfTests is that of a layout that no namespace was made for.
var needOfTests = worker.Need{Unit: time.Second, MaxID: 1 << 22, Fingerprint: "tests"}

func expectVersion(mock sqlmock.Sqlmock, version string) {
	mock.ExpectQuery("VERSION").WillReturnRows(sqlmock.NewRows([]string{"v"}).AddRow(version))
}

func expectFile(t *testing.T, mock sqlmock.Sqlmock) {
	rows := sqlmock.NewRows([]string{"file"}).AddRow(t.TempDir())
	mock.ExpectQuery("pragma_database_list").WillReturnRows(rows)
}

func TestLastInsertIDThatTheDriverCannotTell(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	none := errors.New("no LastInsertId here")
	expectVersion(mock, "8.4.3")
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnResult(sqlmock.NewErrorResult(none))
	_, err = MySQL(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, none)
	assert.ErrorContains(t, err, "lost the generated key")
}

func TestLastInsertIDOfZero(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	expectVersion(mock, "8.4.3")
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnResult(sqlmock.NewResult(0, 1))
	_, err = MySQL(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, ErrShape)
	assert.ErrorContains(t, err, "key is 0")
}

func TestAnswerThatBreaksOffAfterItsRow(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	broken := errors.New("disk full at commit")
	mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnRows(
		sqlmock.NewRows([]string{"ID"}).AddRow(5).AddRow(6).RowError(1, broken))
	id, err := Postgres(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, broken)
	assert.Zero(t, id)
}

func TestErrorWhenTheAnswerIsClosed(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	broken := errors.New("disk full at commit")
	expectFile(t, mock)
	mock.ExpectExec("BEGIN IMMEDIATE").WillReturnResult(sqlmock.NewResult(0, 0))
	mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnRows(
		sqlmock.NewRows([]string{"ID"}).AddRow(5).CloseError(broken))
	mock.ExpectExec("ROLLBACK").WillReturnResult(sqlmock.NewResult(0, 0))
	id, err := SQLite(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, broken)
	assert.Zero(t, id)
	assert.NoError(t, mock.ExpectationsWereMet())
}

// No other statement may get into a transaction that could not be taken back.
func TestAConnectionWithAnOpenTransactionIsClosed(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	broken := errors.New("disk I/O error")
	expectFile(t, mock)
	mock.ExpectExec("BEGIN IMMEDIATE").WillReturnResult(sqlmock.NewResult(0, 0))
	mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnRows(sqlmock.NewRows([]string{"ID"}).AddRow(5))
	mock.ExpectExec("COMMIT").WillReturnError(broken)
	mock.ExpectExec("ROLLBACK").WillReturnError(broken)
	mock.ExpectClose()
	id, err := SQLite(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, broken)
	assert.Zero(t, id)
	assert.NoError(t, mock.ExpectationsWereMet())
	assert.Zero(t, db.Stats().OpenConnections)
}

// An error that may have come after the INSERT is never followed by another.
func TestNothingIsSentTwice(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	lost := errors.New("unexpected EOF")
	expectVersion(mock, "8.4.3")
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnError(lost)
	_, err = MySQL(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, lost)
	assert.NoError(t, mock.ExpectationsWereMet())
}

func TestFileThatStaysLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, mock, err := sqlmock.New()
		require.NoError(t, err)
		defer db.Close()
		expectFile(t, mock)
		mock.MatchExpectationsInOrder(false)
		for range 20_000 {
			mock.ExpectExec("BEGIN IMMEDIATE").WillReturnError(errors.New("database is locked (5) (SQLITE_BUSY)"))
		}
		begin := time.Now()
		_, err = SQLite(db).Register(t.Context(), node("a"), needOfTests)
		require.ErrorContains(t, err, "locked")
		assert.ErrorContains(t, err, "keeps the file locked")
		waited := time.Since(begin) // in the bubble's time
		assert.True(t, 10*time.Second <= waited && waited < 11*time.Second, "waited %v", waited)
	})
}

// A constructor returns no error, so the first call says what is missing.
func TestNoDatabaseIsAnError(t *testing.T) {
	ns, err := worker.NewNamespace("default", needOfTests, 0, 3, time.Minute)
	require.NoError(t, err)
	for name, s := range map[string]*Store{"MySQL": MySQL(nil), "PostgreSQL": Postgres(nil), "SQLite": SQLite(nil)} {
		for call, do := range map[string]func() error{
			"CreateTable": func() error { return s.CreateTable(t.Context()) },
			"Register":    func() error { _, err := s.Register(t.Context(), node("a"), needOfTests); return err },
			"Nodes":       func() error { _, err := s.Nodes(t.Context(), 1); return err },
			"Class":       func() error { _, err := s.Class(t.Context()); return err },
			"Check":       func() error { _, err := s.Check(t.Context()); return err },
			"View":        func() error { _, err := s.View(t.Context(), "default", 0, 1); return err },
			"Write":       func() error { _, err := s.Write(t.Context(), store.Write{Expect: []store.Nonce{{}}}); return err },
			"Raise":       func() error { _, err := s.Raise(t.Context(), store.Raise{Namespace: "default"}); return err },
			"Quarantine":  func() error { return s.Quarantine(t.Context(), "default", 1) },
			"Init":        func() error { return s.Init(t.Context(), ns, store.InitOptions{}) },
			"Remove":      func() error { return s.Remove(t.Context(), "default", store.RemoveOptions{}) },
		} {
			t.Run(name+"/"+call, func(t *testing.T) {
				require.NotPanics(t, func() {
					err := do()
					require.ErrorIs(t, err, errNoDB)
					assert.ErrorContains(t, err, "in "+name+": the *sql.DB that the store was made with is nil")
				})
			})
		}
	}
}
