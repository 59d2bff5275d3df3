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

// needOfTests is that of a layout of which no worker id is leased.
var needOfTests = worker.Need{Unit: time.Second, MaxID: 1 << 22, Fingerprint: "tests"}

func expectFile(t *testing.T, mock sqlmock.Sqlmock) {
	rows := sqlmock.NewRows([]string{"file"}).AddRow(t.TempDir())
	mock.ExpectQuery("pragma_database_list").WillReturnRows(rows)
}

func TestLastInsertIDThatTheDriverCannotTell(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	none := errors.New("no LastInsertId here")
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnResult(sqlmock.NewErrorResult(none))
	_, err = MySQL(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, none)
	assert.ErrorContains(t, err, "lost the generated key")
}

func TestLastInsertIDOfZero(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnResult(sqlmock.NewResult(0, 1))
	_, err = MySQL(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, store.ErrStore)
	assert.ErrorContains(t, err, "key is 0")
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
	mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnRows(
		sqlmock.NewRows([]string{"ID"}).AddRow(5))
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
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnError(lost)
	_, err = MySQL(db).Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, lost)
	assert.NoError(t, mock.ExpectationsWereMet())
}

// stateError is an error with a SQLSTATE, as PostgreSQL's drivers have them.
type stateError struct{ state, text string }

func (e stateError) Error() string    { return e.text }
func (e stateError) SQLState() string { return e.state }

// What a pooler before PostgreSQL refuses was not executed.
func TestPoolersAreExplained(t *testing.T) {
	for says, err := range map[string]error{
		"max_prepared_statements": stateError{"26000", `prepared statement "stmt_1" does not exist`},
	} {
		db, mock, opening := sqlmock.New()
		require.NoError(t, opening)
		defer db.Close()
		mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnError(err)
		_, err := Postgres(db).Register(t.Context(), node("a"), needOfTests)
		require.ErrorContains(t, err, says)
		assert.NotContains(t, err.Error(), "trying again is safe")
	}
}

func TestFileThatStaysLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, mock, err := sqlmock.New()
		require.NoError(t, err)
		defer db.Close()
		expectFile(t, mock)
		mock.MatchExpectationsInOrder(false)
		for range 20_000 {
			mock.ExpectExec("BEGIN IMMEDIATE").WillReturnError(
				errors.New("database is locked (5) (SQLITE_BUSY)"))
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
	ctx, pool := t.Context(), store.Pool{Layout: "tests", Unit: time.Second}
	for name, s := range map[string]*Store{"MySQL": MySQL(nil), "PostgreSQL": Postgres(nil),
		"SQLite": SQLite(nil)} {
		for call, do := range map[string]func() error{
			"CreateTable": func() error { return s.CreateTable(ctx) },
			"Register":    func() error { _, err := s.Register(ctx, node("a"), needOfTests); return err },
			"Nodes":       func() error { _, err := s.Nodes(ctx, 1); return err },
			"Class":       func() error { _, err := s.Class(ctx); return err },
			"Check":       func() error { _, err := s.Check(ctx); return err },
			"View":        func() error { _, err := s.View(ctx, pool, 0, 1); return err },
			"Now":         func() error { _, err := s.Now(ctx); return err },
			"Create": func() error {
				return s.Create(ctx, store.Creation{Pool: pool, Workers: []int64{0}})
			},
			"Open": func() error {
				return s.Open(ctx, store.Opening{Pool: pool, Workers: []int64{0}})
			},
			"Write": func() error {
				_, err := s.Write(ctx, store.Write{Pool: pool, Expect: []store.Nonce{{}}})
				return err
			},
			"Raise":  func() error { _, err := s.Raise(ctx, store.Raise{Pool: pool}); return err },
			"Delete": func() error { return s.Delete(ctx, "") },
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
