package redisstore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

func TestPrimaryThatWouldGoOnAlone(t *testing.T) {
	t.Parallel()
	s := newRows(open(t, coupled(t).primary.Addr()), Options{})
	must(t, s.client, "CONFIG", "SET", "min-replicas-to-write", "0")
	must(t, s.client, "CONFIG", "SET", "min-replicas-max-lag", "10")
	_, err := s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, `min-replicas-to-write is "0": set it to 1 or more`)

	must(t, s.client, "CONFIG", "SET", "min-replicas-to-write", "1")
	_, err = s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, `min-replicas-max-lag is "10": set it to a number from 1 to 3`)
	must(t, s.client, "CONFIG", "SET", "min-replicas-max-lag", "0")
	_, err = s.Check(t.Context())
	assert.ErrorContains(t, err, `min-replicas-max-lag is "0": set it`, "which switches the rule off")

	must(t, s.client, "CONFIG", "SET", "min-replicas-max-lag", "3")
	lossy, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.True(t, lossy)

	s.o.MinReplicas = 2
	_, err = s.Check(t.Context())
	assert.ErrorContains(t, err, "set it to 2 or more")
}

func TestHowManyReplicasAPrimaryMustKeep(t *testing.T) {
	for replicas, least := range map[int]string{0: "", 1: "1 or more", 2: "1 or more", 3: "2 or more",
		4: "2 or more", 5: "3 or more", 6: "3 or more"} {
		var got string
		for _, w := range new(rows).wanted(replicas) {
			if w.setting == "min-replicas-to-write" {
				got = w.value
			}
		}
		assert.Equal(t, least, got, "%d replicas", replicas)
	}
}

func TestReplicaIsRefused(t *testing.T) {
	t.Parallel()
	c := coupled(t)
	s := newRows(open(t, c.primary.Addr()), Options{})
	leasetest.Make(t, s)
	s.client = open(t, c.replica.Addr())
	_, err := s.Check(t.Context())
	require.NotErrorIs(t, err, worker.ErrStore, "it may be the primary soon")
	assert.ErrorContains(t, err, "connect to the primary")
	must(t, s.client, "CONFIG", "SET", "replica-read-only", "no") // even if it took writes
	_, err = s.View(t.Context(), leasetest.Pool, 0, 3)
	assert.ErrorContains(t, err, "connect to the primary")
}

// A write that a replica does not confirm grants nothing. It may be there.
func TestReplicaMissing(t *testing.T) {
	t.Parallel()
	c := coupled(t)
	s := newRows(patient(t, c.primary.Addr()), Options{MinReplicas: 1, WaitTimeout: time.Minute})
	leasetest.Make(t, s)
	applied, err := s.Write(t.Context(), leasetest.Acquisition(leasetest.View(t, s)))
	require.NoError(t, err)
	assert.True(t, applied)
	onReplica, err := open(t, c.replica.Addr()).HGet(t.Context(), s.rowsKey(leasetest.Pool.Layout),
		"0").Result()
	require.NoError(t, err)
	_, row, err := s.parseRow(leasetest.Pool, "0", onReplica)
	require.NoError(t, err)
	assert.True(t, row.Held, "it has what was acknowledged")

	// Else the server refuses by itself.
	must(t, s.client, "CONFIG", "SET", "min-replicas-to-write", "0")
	w := leasetest.Acquisition(leasetest.View(t, s))
	w.Acquire = false
	c.replica.Kill()
	s.o.WaitTimeout = 50 * time.Millisecond
	applied, err = s.Write(t.Context(), w)
	assert.False(t, applied)
	require.ErrorContains(t, err, "0 of the 1 replicas")
	_, err = s.View(t.Context(), leasetest.Pool, 0, 3)
	require.ErrorContains(t, err, "0 of the 1 replicas", "its writer would believe it")
	assert.Equal(t, w.Nonce, leasetest.View(t, newRows(s.client, Options{})).Rows[0].Nonce,
		"so the outcome is not known by the answer")

	applied, err = s.Write(t.Context(), w)
	assert.False(t, applied)
	assert.NoError(t, err, "a write that missed has nothing to wait for")
}
