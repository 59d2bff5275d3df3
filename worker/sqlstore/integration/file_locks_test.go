package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A context that ends when the write lock was got throws no work away: the write waits
// for those who read, is done, and says so.
func TestAWriteThatHasTheLockIsDone(t *testing.T) {
	e := onSQLite(t)
	l := e.leased()
	_, w := row(t, l)
	endReading := e.read()
	untilLocked := e.untilLocked()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	type answer struct {
		applied bool
		err     error
	}
	answered := make(chan answer)
	go func() {
		applied, err := l.Write(ctx, w)
		answered <- answer{applied, err}
	}()
	untilLocked()
	cancel()
	endReading()
	got := <-answered
	require.NoError(t, got.err)
	assert.True(t, got.applied)
	r, _ := row(t, l)
	assert.Equal(t, w.Nonce, r.Nonce)
}

// read begins to read the file, which others cannot write to until end is called.
func (e env) read() (end func()) {
	c, err := e.again().db.Conn(e.t.Context())
	require.NoError(e.t, err)
	run := func(statement string) {
		_, err := c.ExecContext(e.t.Context(), statement)
		require.NoError(e.t, err)
	}
	run("BEGIN DEFERRED")
	require.NoError(e.t, c.QueryRowContext(e.t.Context(),
		"SELECT COUNT(*) FROM uid_lease").Scan(new(int)))
	return func() {
		run("COMMIT")
		c.Close()
	}
}

// untilLocked returns a function that waits until somebody has the write lock. It has
// a connection by then: who waits for readers lets no new ones in.
func (e env) untilLocked() (wait func()) {
	other, err := e.again().db.Conn(e.t.Context())
	require.NoError(e.t, err)
	return func() {
		defer other.Close()
		for {
			if _, err := other.ExecContext(e.t.Context(), "BEGIN IMMEDIATE"); err != nil {
				require.ErrorContains(e.t, err, "locked")
				return
			}
			_, err := other.ExecContext(e.t.Context(), "ROLLBACK")
			require.NoError(e.t, err)
		}
	}
}

// Readers who stay keep a write from being done. It gives up when its context has ended,
// has written nothing, and the next one is done.
func TestAWriteGivesUpWhenReadersStay(t *testing.T) {
	e := onSQLite(t)
	l := e.leased()
	before, w := row(t, l)
	endReading := e.read()

	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	applied, err := l.Write(ctx, w)
	require.ErrorContains(t, err, "nothing was written")
	assert.False(t, applied)
	endReading()
	after, _ := row(t, l)
	assert.Equal(t, before, after)
	applied, err = l.Write(t.Context(), w)
	require.NoError(t, err)
	assert.True(t, applied)
}

// A write whose context ends before it has a connection to the file says that it wrote
// nothing: its outcome is known.
func TestAWriteWithoutAConnectionHasWrittenNothing(t *testing.T) {
	e := onSQLite(t)
	l := e.leased()
	_, w := row(t, l)
	e.db.SetMaxOpenConns(1)
	busy, err := e.db.Conn(t.Context())
	require.NoError(t, err)

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = l.Write(ctx, w)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "nothing was written, since there was no connection")
	require.NoError(t, busy.Close())
	applied, err := l.Write(t.Context(), w)
	require.NoError(t, err)
	assert.True(t, applied)
}
