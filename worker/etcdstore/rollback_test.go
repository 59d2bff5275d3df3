package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// A store whose revision is lower than it was has been restored. Nothing more is
// granted until the operator has raised the floor.
func TestRestoredBackup(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	for range 10 {
		leasetest.Extend(t, s)
	}
	floor := leasetest.View(t, s).Floor

	backup := s.on(open(t, testserver.Etcd(t).Addr()))
	leasetest.Make(t, backup) // the same namespace, of fewer revisions
	_, err := backup.client.Put(t.Context(), s.nsKey("default"), string(readText(t, s, "default")))
	require.NoError(t, err)
	s.client = backup.client
	w := leasetest.Acquisition(leasetest.View(t, backup))

	for range 2 {
		v, err := s.View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, store.ErrRolledBack)
		assert.Equal(t, floor, v.Floor)
		assert.ErrorContains(t, err, `quarantine namespace "default"`)
		_, err = s.Write(t.Context(), w)
		require.ErrorIs(t, err, store.ErrRolledBack)
		require.NoError(t, s.Quarantine(t.Context(), "default", floor-1), "which is not above anything")
	}
	require.NoError(t, s.Quarantine(t.Context(), "default", floor+1000))
	v := leasetest.View(t, s)
	assert.Equal(t, floor+1000, v.Floor)
	leasetest.Write(t, s, leasetest.Acquisition(v))
}

// readText is the namespace as s keeps it.
func readText(t *testing.T, s *Store, name string) []byte {
	answer, err := s.client.Get(t.Context(), s.nsKey(name))
	require.NoError(t, err)
	require.Len(t, answer.Kvs, 1)
	return answer.Kvs[0].Value
}

func TestVersionsThatForget(t *testing.T) {
	for version, want := range map[string]bool{
		"3.3.27": true, "3.4.20": true, "3.4.21": false, "3.4.23": false, "3.4.100": false,
		"3.5.0": true, "3.5.4": true, "3.5.5": false, "3.6.0": false, "3.6.0-rc.1": false, "4.0.0": false,
		"HEAD": false,
	} {
		assert.Equal(t, want, forgets(version), version)
	}
}
