package integration

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// An older state of the file is copied over it, beside live holders. Every handle that
// has written or looked since refuses to go on, until the floor is raised.
func TestLeasesOnAFileThatIsCopiedBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil)
	l, _ := e.leased()
	backup, err := os.ReadFile(path)
	require.NoError(t, err)

	_, w := row(t, l)
	applied, err := l.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	other := e.again().Leases() // a handle that has seen the write, of another row's holder
	seen, err := other.View(t.Context(), "default", 1, 1)
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(path, backup, 0o600))
	for range 2 {
		for what, call := range map[string]func() (bool, error){
			"Write by the writer": func() (bool, error) { return l.Write(t.Context(), w) },
			"Write by another": func() (bool, error) {
				w := w
				w.Worker, w.Expect, w.Acquire = 1, []store.Nonce{seen.Rows[0].Nonce}, true
				return other.Write(t.Context(), w)
			},
			"Raise": func() (bool,
				error) {
				return other.Raise(t.Context(), store.Raise{Namespace: "default"})
			},
			"View": func() (bool, error) {
				_, err := other.View(t.Context(), "default", 0, 3)
				return false,
					err
			},
		} {
			applied, err := call()
			require.ErrorIs(t, err, store.ErrRolledBack, what)
			assert.ErrorContains(t, err, "quarantine", what)
			assert.False(t, applied, what)
		}
		require.NoError(t, l.Quarantine(t.Context(), "default", w.Floor), "which is not above anything")
	}
	require.NoError(t, l.Quarantine(t.Context(), "default", w.Floor+1))
	for _, l := range []*sqlstore.Leases{l, other} {
		_, w := row(t, l)
		applied, err = l.Write(t.Context(), w)
		require.NoError(t, err)
		assert.True(t, applied)
	}
}

// What is changed without being counted (a raise that finds the floor high enough, a
// removal) is not expected to have been counted by whoever did it.
func TestChangesThatAFileDoesNotCount(t *testing.T) {
	e := onSQLite(t)
	l, n := e.leased()
	_, w := row(t, l)
	applied, err := l.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	require.NoError(t, l.Quarantine(t.Context(), n.Name, w.High+1_000_000))
	v, err := l.View(t.Context(), n.Name, 0, 3)
	require.NoError(t, err)

	_, err = e.db.Exec(`UPDATE uid_file SET id = 'another'`)
	require.NoError(t, err)
	raised, err := l.Raise(t.Context(), store.Raise{Namespace: n.Name, Epoch: v.Epoch, Floor: v.Floor,
		Margin: 2})
	require.NoError(t, err)
	require.True(t, raised)
	after, err := l.View(t.Context(), n.Name, 0, 3)
	require.NoError(t, err)
	assert.Equal(t, v.Floor, after.Floor, "it was high enough")
	assert.Equal(t, "another", after.Epoch)

	require.NoError(t, l.Remove(t.Context(), n.Name, store.RemoveOptions{Held: true}))
	n.Unit, n.Fingerprint = time.Minute, "another layout"
	require.NoError(t, l.Init(t.Context(), n, store.InitOptions{}))
	_, err = l.View(t.Context(), n.Name, 0, 3)
	require.NoError(t, err)
}

// Holders raise the floor themselves, and their generators' next ids lie above it.
func TestHoldersOfAFileThatIsCopiedBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil)
	l, _ := e.leased()
	backup, err := os.ReadFile(path)
	require.NoError(t, err)
	lease := assign(t, l)
	_, granted := lease.Grant()
	require.NoError(t, os.WriteFile(path, backup, 0o600))
	for lost := false; !lost; {
		changed := lease.Changed()
		if lost = lease.Err() != nil; !lost {
			<-changed
		}
	}
	require.ErrorIs(t, lease.Err(), store.ErrRolledBack)
	next := assign(t, l)
	v, err := l.View(t.Context(), "default", 0, 3)
	require.NoError(t, err)
	assert.Greater(t, v.Floor, granted)
	lo, _ := next.Grant()
	assert.GreaterOrEqual(t, lo, v.Floor)
}
