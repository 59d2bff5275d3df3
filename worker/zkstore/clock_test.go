package zkstore

import (
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/texttest"
)

func TestAProcessWhoseClockIsAhead(t *testing.T) {
	texttest.TestProcessWhoseClockIsAhead(t, shared(t).zk, time.Millisecond)
}

// Who may not write the node that tells the time says so, and writes nothing.
func TestWithoutTheLeadersClock(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	_, err := s.zk.conn.SetACL(s.zk.root+"/clock", zk.WorldACL(zk.PermRead), -1)
	require.NoError(t, err)
	reader := s.on(s.zk.conn)
	v := leasetest.View(t, reader)
	require.ErrorContains(t, v.Clock, "clock")
	_, err = reader.Now(t.Context())
	require.ErrorIs(t, err, zk.ErrNoAuth)
	_, err = reader.Write(t.Context(), leasetest.Acquisition(v))
	require.ErrorIs(t, err, zk.ErrNoAuth)
	assert.Equal(t, v.Rows, leasetest.View(t, s).Rows)
}
