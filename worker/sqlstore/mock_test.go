package sqlstore

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/DATA-DOG/go-sqlmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What follows no real server does on command.

func TestLastInsertIDThatTheDriverCannotTell(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	none := errors.New("no LastInsertId here")
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnResult(sqlmock.NewErrorResult(none))
	_, err = MySQL(db).Register(t.Context(), node("a"))
	require.ErrorIs(t, err, none)
	assert.ErrorContains(t, err, "lost the generated key")
}

func TestLastInsertIDOfZero(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnResult(sqlmock.NewResult(0, 1))
	_, err = MySQL(db).Register(t.Context(), node("a"))
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
	id, err := Postgres(db).Register(t.Context(), node("a"))
	require.ErrorIs(t, err, broken)
	assert.Zero(t, id)
}

func TestErrorWhenTheAnswerIsClosed(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	broken := errors.New("disk full at commit")
	mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnRows(
		sqlmock.NewRows([]string{"ID"}).AddRow(5).CloseError(broken))
	id, err := SQLite(db).Register(t.Context(), node("a"))
	require.ErrorIs(t, err, broken)
	assert.Zero(t, id)
}

// An error that may have come after the INSERT is never followed by another.
func TestNothingIsSentTwice(t *testing.T) {
	db, mock, err := sqlmock.New()
	require.NoError(t, err)
	defer db.Close()
	lost := errors.New("unexpected EOF")
	mock.ExpectExec("INSERT INTO WORKER_NODE").WillReturnError(lost)
	_, err = MySQL(db).Register(t.Context(), node("a"))
	require.ErrorIs(t, err, lost)
	assert.NoError(t, mock.ExpectationsWereMet())
}

func TestFileThatStaysLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, mock, err := sqlmock.New()
		require.NoError(t, err)
		defer db.Close()
		mock.MatchExpectationsInOrder(false)
		for range 2000 {
			mock.ExpectQuery("INSERT INTO WORKER_NODE").WillReturnError(errors.New("database is locked (5) (SQLITE_BUSY)"))
		}
		begin := time.Now()
		_, err = SQLite(db).Register(t.Context(), node("a"))
		require.ErrorContains(t, err, "locked")
		assert.ErrorContains(t, err, "does not let go")
		waited := time.Since(begin) // in the bubble's time
		assert.True(t, 10*time.Second <= waited && waited < 11*time.Second, "waited %v", waited)
	})
}
