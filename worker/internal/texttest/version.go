package texttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// TestAVersionThatComesAgain: a row that was deleted and created again, and written as often,
// has the same version at the server and another text, so a late write misses it. version is
// that of the row of worker id 0.
func TestAVersionThatComesAgain(t *testing.T, s store.Store, rows textstore.Server,
	version func() int64) {
	leasetest.Make(t, s)
	row := textstore.Key{Layout: leasetest.Pool.Layout, Worker: 0}
	old, there, err := rows.Get(t.Context(), row)
	require.NoError(t, err)
	require.True(t, there)
	before := version()
	require.NoError(t, s.Delete(t.Context(), row.Layout))
	leasetest.Make(t, s)
	require.Equal(t, before, version())
	want := leasetest.View(t, s)
	applied, err := rows.CompareAndSet(t.Context(), row, old,
		textstore.Marshal(leasetest.Pool, store.Row{Nonce: store.Nonce{1}, Open: true}))
	require.NoError(t, err)
	assert.False(t, applied)
	assert.Equal(t, want.Rows, leasetest.View(t, s).Rows)
}
