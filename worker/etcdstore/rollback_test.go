package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
)

// A store whose revision is lower than it was has been restored. Nothing more is
// granted until the operator has lifted the floor.
func TestRestoredBackup(t *testing.T) {
	_, s := durable(t)
	made(t, s)
	for range 10 {
		applied, err := s.Write(t.Context(), write(view(t, s), false))
		require.NoError(t, err)
		require.True(t, applied)
	}
	floor := view(t, s).Floor

	backup := New(open(t, testserver.Etcd(t).Addr()), Options{})
	made(t, backup) // the same namespace, of fewer revisions
	_, err := backup.client.Put(t.Context(), s.nsKey("default"), string(readText(t, s, "default")))
	require.NoError(t, err)
	s.client = backup.client
	w := write(view(t, backup), true)

	for range 2 {
		_, err := s.View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, `quarantine namespace "default"`)
		_, err = s.Write(t.Context(), w)
		require.ErrorIs(t, err, worker.ErrStore)
		require.NoError(t, s.Quarantine(t.Context(), "default", floor-1), "which is not behind anything")
	}
	require.NoError(t, s.Quarantine(t.Context(), "default", floor+1000))
	v := view(t, s)
	assert.Equal(t, floor+1000, v.Floor)
	applied, err := s.Write(t.Context(), write(v, true))
	require.NoError(t, err)
	assert.True(t, applied)
}

// readText is the namespace as s keeps it.
func readText(t *testing.T, s *Store, name string) []byte {
	answer, err := s.client.Get(t.Context(), s.nsKey(name))
	require.NoError(t, err)
	require.Len(t, answer.Kvs, 1)
	return answer.Kvs[0].Value
}

// Answers may come in another order than they were given in; that is no restore.
func TestLateAnswer(t *testing.T) {
	var m memory
	before := m.of("a")
	ns := worker.Namespace{Floor: 7}
	require.NoError(t, m.note("a", before, page{at: 12, ns: ns}))
	require.NoError(t, m.note("a", before, page{at: 10, ns: ns}), "asked for before 12 was seen")
	assert.Equal(t, mark{12, 7}, m.of("a"))
	require.ErrorIs(t, m.note("a", m.of("a"), page{at: 10, ns: ns}), worker.ErrStore)
	require.ErrorIs(t, m.note("a", m.of("a"), page{at: 10}), worker.ErrStore, "and the namespace is gone")
	require.NoError(t, m.note("b", m.of("b"), page{at: 10, ns: ns}), "another namespace")
	require.NoError(t, m.note("a", m.of("a"), page{}), "no answer at all")
}

func TestVersionsThatForget(t *testing.T) {
	for version, want := range map[string]bool{
		"3.3.27": true, "3.4.20": true, "3.4.21": false, "3.4.23": false, "3.4.100": false,
		"3.5.0": true, "3.5.4": true, "3.5.5": false, "3.6.0": false, "3.6.0-rc.1": false, "4.0.0": false, "HEAD": false,
	} {
		assert.Equal(t, want, forgets(version), version)
	}
}
