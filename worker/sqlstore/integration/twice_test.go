package integration

import (
	"bytes"
	"database/sql"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// A driver may return driver.ErrBadConn although the server got the statement, as lib/pq does
// when the connection is closed before the answer. database/sql then sends the statement again,
// unless it was given a connection. A creation that is sent twice is outside of the proof.

// answers is a dialer of lib/pq. It keeps the answer to the first request that contains text: it
// closes answered when the answer is there and, when close is called, the connection.
type answers struct {
	text             []byte
	asked            atomic.Bool
	answered, closed chan struct{}
	close            func()
}

func newAnswers(text []byte) *answers {
	a := &answers{text: text, answered: make(chan struct{}), closed: make(chan struct{})}
	a.close = sync.OnceFunc(func() { close(a.closed) })
	return a
}

func (a *answers) Dial(network, address string) (net.Conn, error) {
	c, err := net.Dial(network, address)
	return &kept{Conn: c, answers: a}, err
}

func (a *answers) DialTimeout(network, address string, d time.Duration) (net.Conn, error) {
	return a.Dial(network, address)
}

type kept struct {
	net.Conn
	*answers
	keep atomic.Bool
}

func (k *kept) Write(b []byte) (int, error) {
	if bytes.Contains(b, k.text) && !k.asked.Swap(true) {
		k.keep.Store(true)
	}
	return k.Conn.Write(b)
}

func (k *kept) Read(b []byte) (int, error) {
	n, err := k.Conn.Read(b)
	if k.keep.Load() {
		close(k.answered)
		<-k.closed
		return 0, io.EOF
	}
	return n, err
}

func (k *kept) Close() error { return k.Conn.Close() }

// keeping is a store whose first request with this text is answered too late.
func (e env) keeping(t *testing.T, mode, text string) (sqlstore.Store, *answers) {
	connector, err := pq.NewConnector(e.dsn + mode)
	require.NoError(t, err)
	a := newAnswers([]byte(text))
	connector.Dialer(a)
	db := sql.OpenDB(connector)
	t.Cleanup(func() {
		a.close()
		db.Close()
	})
	return stores["pgx"](db), a
}

// modes are those in which lib/pq sends statements.
var modes = map[string]string{"default": "", "binary_parameters": "&binary_parameters=yes"}

func TestStatementsAreSentOnce(t *testing.T) {
	t.Parallel()
	for name, mode := range modes {
		t.Run(name, func(t *testing.T) {
			e := onPostgres(t, testserver.Durable()).inited()
			e.leased()
			s, a := e.keeping(t, mode, "the only one")
			a.close()
			_, err := s.Register(t.Context(), node("the only one"), needOfTests.MaxID)
			require.Error(t, err)
			assert.ErrorContains(t, err, "that only uses up a worker id")
			require.True(t, a.asked.Load())
			rows, err := e.Nodes(t.Context(), 0)
			require.NoError(t, err)
			assert.Len(t, rows, 1)
		})
	}
}

// The creation and the opening of a row come again after the row was used and deleted: then two
// processes are granted the same ticks.
func TestACreationIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, mode := range modes {
		t.Run(name, func(t *testing.T) {
			e := onPostgres(t, testserver.Durable()).inited()
			_, err := worker.Init(t.Context(), e.Store, claims(9, 9), need) // the tables and the head
			require.NoError(t, err)
			view := func() store.View {
				v, err := e.View(t.Context(), pool, 1, 1)
				require.NoError(t, err)
				return v
			}
			acquire := func() (lo, hi int64) {
				for { // until more than what was granted may be
					v := view()
					w := leasetest.Acquisition(v)
					if lo, w.High = v.Rows[0].High+1, v.TickAt(v.Now)+v.Window(); w.High-lo > 10 {
						leasetest.Write(t, e.Store, w)
						return lo, w.High
					}
				}
			}

			created, opened := leasetest.Nonce(), leasetest.Nonce()
			first, creation := e.keeping(t, mode, pool.Layout)
			second, opening := e.keeping(t, mode, pool.Layout)
			var creating, reopening sync.WaitGroup
			creating.Go(func() { assert.Error(t, first.Create(t.Context(), pool, []int64{1}, created)) })
			<-creation.answered
			now, err := e.Now(t.Context())
			require.NoError(t, err)
			reopening.Go(func() {
				assert.Error(t, second.Open(t.Context(), pool, []int64{1}, created, store.Row{Nonce: opened,
					Open: true, High: pool.TickAt(now) + pool.Window()}))
			})
			<-opening.answered
			_, granted := acquire()
			require.NoError(t, e.Delete(t.Context(), pool.Layout))
			creation.close()
			creating.Wait()
			opening.close()
			reopening.Wait()
			if v := view(); assert.Empty(t, v.Rows) {
				return
			}
			lo, _ := acquire()
			assert.Greater(t, lo, granted, "%d ticks are granted twice", granted-lo+1)
		})
	}
}
