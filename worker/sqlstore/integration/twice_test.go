package integration

import (
	"bytes"
	"database/sql"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

// A driver may return driver.ErrBadConn although the server got the statement, as lib/pq does
// when the connection is closed before the answer. database/sql then sends the statement again,
// unless it was given a connection. A creation that is sent twice is outside of the proof.

// cutting is a dialer of lib/pq. It closes the connection when the answer is there to the first
// request that contains text.
type cutting struct {
	text []byte
	cut  atomic.Bool
}

func (c *cutting) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	return &cuttable{Conn: conn, cutting: c}, err
}

func (c *cutting) DialTimeout(network, address string, d time.Duration) (net.Conn, error) {
	return c.Dial(network, address)
}

type cuttable struct {
	net.Conn
	*cutting
	asked atomic.Bool
}

func (c *cuttable) Write(b []byte) (int, error) {
	if bytes.Contains(b, c.text) && !c.cut.Swap(true) {
		c.asked.Store(true)
	}
	return c.Conn.Write(b)
}

func (c *cuttable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.asked.Load() {
		return 0, io.EOF
	}
	return n, err
}

func TestStatementsAreSentOnce(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	e.leased()
	for mode, name := range map[string]string{"": "the only one",
		"&binary_parameters=yes": "another"} {
		connector, err := pq.NewConnector(e.dsn + mode)
		require.NoError(t, err)
		cuts := &cutting{text: []byte(name)}
		connector.Dialer(cuts)
		db := sql.OpenDB(connector)
		_, err = sqlstore.Postgres(db).Register(t.Context(), node(name), needOfTests.MaxID)
		require.Error(t, err)
		assert.ErrorContains(t, err, "that only uses up a worker id")
		require.True(t, cuts.cut.Load())
		require.NoError(t, db.Close())
	}
	rows, err := e.Nodes(t.Context(), 0)
	require.NoError(t, err)
	assert.Len(t, rows, 2)
}
