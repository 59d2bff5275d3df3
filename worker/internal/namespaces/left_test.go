package namespaces

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

func TestRowsThatCountedOtherTicks(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	n := store.Namespace{Name: "a", Unit: time.Second}
	ms := store.Namespace{Unit: time.Millisecond}
	require.NoError(t, CheckLeft(n, n.TickAt(now.AddDate(20, 0, 0)), now),
		"a clock was wrong, or somebody has closed it")
	half := store.Namespace{Unit: time.Second / 2}
	require.ErrorIs(t, CheckLeft(n, half.TickAt(now), now), store.ErrNamespace)
	require.NoError(t, CheckLeft(ms, n.TickAt(now), now), "longer ticks, taken for shorter ones")
	err := CheckLeft(n, ms.TickAt(now), now)
	require.ErrorIs(t, err, store.ErrNamespace)
	assert.ErrorContains(t, err, `"a"`)
	assert.ErrorContains(t, err, "ticks of 1s")
}
