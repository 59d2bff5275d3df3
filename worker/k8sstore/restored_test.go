package k8sstore

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/rollback"
	"github.com/ringuid/ringuid/worker/store"
)

// TestRestoredBackup: etcd is put back to what it was before a holder was granted more.
// Its holder notices, closes off what may be lost, and takes no row before; and so does a
// store that saw a later state. After a quarantine everything goes on behind that.
func TestRestoredBackup(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	in := c.space("shop")
	s, other := in.store("a"), in.store("b")
	made(t, s)
	claimed := claim()
	claimed.Timeout = 20 * time.Second // of a server that has just been started, on a busy machine
	a := worker.Leased(s, claimed)
	one, err := a.Assign(t.Context(), need)
	require.NoError(t, err)
	defer one.Release(context.WithoutCancel(t.Context()), math.MinInt64)

	c.server.Stop()
	c.etcd.Stop()
	restore := c.etcd.Snapshot()
	c.etcd.Start()
	c.server.Start()
	_, hi := one.Grant()
	var granted int64
	require.Eventually(t, func() bool {
		one.Want(hi)
		_, granted = one.Grant()
		return granted > hi
	}, 3*time.Minute, 5*time.Millisecond, "it is granted more")
	floor := view(t, other).Floor
	applied, err := other.Write(t.Context(), acquiring(view(t, other), int(one.WorkerID()+1)%4))
	require.NoError(t, err)
	require.True(t, applied)

	c.server.Stop()
	_, granted = one.Grant()
	c.etcd.Stop()
	restore()
	c.etcd.Start()
	c.server.Start()
	for one.Err() == nil {
		changed := one.Changed()
		if one.Err() == nil {
			<-changed
		}
	}
	require.ErrorIs(t, one.Err(), worker.ErrRolledBack)
	var two worker.Lease
	require.Eventually(t, func() bool {
		two, err = a.Assign(t.Context(), need)
		return err == nil
	}, 3*time.Minute, 10*time.Millisecond, "behind the floor")
	defer two.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	lo, _ := two.Grant()
	assert.Greater(t, lo, granted)
	assert.Greater(t, view(t, other).Floor, floor, "and the other one sees that somebody knows")
}

// TestRestoredUnseen: a store whose count of changes sank refuses to go on until the floor
// is lifted.
func TestRestoredUnseen(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	s := c.space("shop").store("a")
	made(t, s)
	v := view(t, s)
	s.marks.Note("default", s.marks.Of("default"),
		rollback.At(s.marks.Of("default").Count+1000, v.Namespace))
	for range 2 {
		got, err := s.View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, store.ErrRolledBack)
		assert.Equal(t, v.Floor, got.Floor)
		_, err = s.Write(t.Context(), write(v, true))
		require.ErrorIs(t, err, store.ErrRolledBack)
		require.NoError(t, s.Quarantine(t.Context(), "default", v.Floor), "which lifts nothing")
	}
	require.NoError(t, s.Quarantine(t.Context(), "default", v.Floor+5))
	applied, err := s.Write(t.Context(), write(view(t, s), true))
	require.NoError(t, err)
	assert.True(t, applied)
}

// acquiring takes the row of a worker id as v shows it.
func acquiring(v store.View, id int) store.Write {
	w := write(v, true)
	w.Worker, w.Expect[0], w.High = v.Rows[id].Worker, v.Rows[id].Nonce, v.Rows[id].High+1
	return w
}
