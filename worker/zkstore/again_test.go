package zkstore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Rows that a program wrote which did not say their unit get it when their namespace is
// removed, so that the next one takes no milliseconds for seconds.
func TestRowsOfAnOlderProgramForAnotherLayout(t *testing.T) {
	s := shared(t)
	fast := store.Namespace{Name: "default", Fingerprint: "fast", Unit: time.Millisecond,
		Last: batch + 2, Window: 60_000}
	require.NoError(t, s.Init(t.Context(), fast, store.InitOptions{Fresh: true}))
	v, err := s.View(t.Context(), "default", 0, fast.Last)
	require.NoError(t, err)
	for _, row := range v.Rows {
		_, err := s.conn.Set(s.rowPath("default", row.Worker), rowtext.Row(row), -1)
		require.NoError(t, err)
	}
	require.NoError(t, s.Remove(t.Context(), "default", store.RemoveOptions{}))

	slow := store.Namespace{Name: "default", Fingerprint: "slow", Unit: time.Second, Last: fast.Last,
		Window: 60}
	require.NoError(t, s.Init(t.Context(), slow, store.InitOptions{Fresh: true}))
	v, err = s.View(t.Context(), "default", 0, slow.Last)
	require.NoError(t, err)
	require.Len(t, v.Rows, batch+3)
	for _, row := range v.Rows {
		_, parked := v.Parked(row)
		assert.False(t, parked, "worker id %d", row.Worker)
	}
}
