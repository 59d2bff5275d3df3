package integration

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Connections to one file write as fast as they can, with deadlines that a write may
// well miss. Nobody waits while the others write more than luck explains: with four who
// have the same chance, 72 writes of others in a row come once in a billion waits.
func TestNoWriterOfAFileStarves(t *testing.T) {
	const writers, most, total = 4, 72, 160
	e := onSQLite(t)
	e.leased() // as many

	var done atomic.Int64
	var waits [writers]int64 // the most writes of all during one wait of each
	var running sync.WaitGroup
	for i := range waits {
		own := e.Store // half of them share one
		if i%2 == 0 {
			own = e.again().Store
		}
		running.Go(func() {
			for last := int64(0); done.Load() < total; {
				if writeOnce(t.Context(), own, int64(i)) {
					done.Add(1)
				} else if done.Load()-last <= most { // else it has starved already
					continue
				}
				now := done.Load()
				waits[i] = max(waits[i], now-last)
				last = now
			}
		})
	}
	running.Wait()
	for i, n := range waits {
		assert.LessOrEqual(t, n, int64(most), "writer %d", i)
	}
}

// writeOnce renews a row, and reports whether it did.
func writeOnce(ctx context.Context, l sqlstore.Store, id int64) bool {
	const deadline = 33 * time.Millisecond
	reading, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	v, err := l.View(reading, pool, id, id)
	if err != nil {
		return false
	}
	writing, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	r := v.Rows[0]
	applied, err := l.Write(writing, store.Write{
		Pool: pool, Epoch: v.Epoch, Floor: v.Floor, Worker: id,
		Expect: []store.Nonce{r.Nonce}, Nonce: store.Nonce{byte(id), r.Nonce[1] + 1}, High: r.High,
		TTL: time.Second,
	})
	return err == nil && applied
}

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
	answered := writing(ctx, l, w)
	untilLocked()
	cancel()
	endReading()
	got := <-answered
	require.NoError(t, got.err)
	assert.True(t, got.applied)
	r, _ := row(t, l)
	assert.Equal(t, w.Nonce, r.Nonce)
}

// An answer is what a write returned.
type answer struct {
	applied bool
	err     error
}

// writing begins a write.
func writing(ctx context.Context, l sqlstore.Store, w store.Write) <-chan answer {
	answered := make(chan answer, 1)
	go func() {
		applied, err := l.Write(ctx, w)
		answered <- answer{applied, err}
	}()
	return answered
}

// begin begins a transaction of somebody else on the file, which lasts until end is called.
func (e env) begin(statements ...string) (end func()) {
	c, err := e.again().db.Conn(e.t.Context())
	require.NoError(e.t, err)
	run := func(statements ...string) {
		for _, s := range statements {
			_, err := c.ExecContext(e.t.Context(), s)
			require.NoError(e.t, err)
		}
	}
	run(statements...)
	return func() {
		run("COMMIT")
		c.Close()
	}
}

// read begins to read the file, which others cannot write to until end is called.
func (e env) read() (end func()) {
	return e.begin("BEGIN DEFERRED", "SELECT COUNT(*) FROM uid_lease")
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

// Readers who stay keep a write that has the lock from being done. It gives up when its context
// has ended, has written nothing, and the next one is done.
func TestAWriteGivesUpWhenReadersStay(t *testing.T) {
	e := onSQLite(t)
	l := e.leased()
	before, w := row(t, l)
	endReading := e.read()
	untilLocked := e.untilLocked()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answered := writing(ctx, l, w)
	untilLocked()
	cancel()
	got := <-answered
	require.ErrorContains(t, got.err, "nothing was written")
	assert.False(t, got.applied)
	endReading()
	after, _ := row(t, l)
	assert.Equal(t, before, after)
	applied, err := l.Write(t.Context(), w)
	require.NoError(t, err)
	assert.True(t, applied)
}
