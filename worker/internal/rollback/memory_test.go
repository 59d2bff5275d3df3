package rollback

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// seconds is a namespace of that floor.
func seconds(floor int64) store.Namespace {
	return store.Namespace{Unit: time.Second,
		Floor: floor}
}

// Answers may come in another order than they were given in; that is no restore.
func TestLateAnswer(t *testing.T) {
	var m Memory
	before := m.Of("a")
	require.NoError(t, m.Note("a", before, At(12, seconds(7))))
	require.NoError(t, m.Note("a", before, At(10, seconds(7))), "asked for before 12 was seen")
	assert.Equal(t, At(12, seconds(7)), m.Of("a"))
	require.ErrorIs(t, m.Note("a", m.Of("a"), At(10, seconds(7))), store.ErrRolledBack)
	require.ErrorIs(t, m.Note("a", m.Of("a"), At(10, store.Namespace{})), store.ErrRolledBack,
		"and the namespace is gone")
	require.NoError(t, m.Note("b", m.Of("b"), At(10, seconds(7))), "another namespace")
	require.NoError(t, m.Note("a", m.Of("a"), At(10, seconds(8))), "somebody has raised the floor")
	assert.Equal(t, At(10, seconds(8)), m.Of("a"))
}

// A namespace that is removed and made again may have other ticks; which of two floors is
// higher is then not a question of the numbers.
func TestOtherTicks(t *testing.T) {
	minutes := func(floor int64) store.Namespace {
		return store.Namespace{Unit: time.Minute,
			Floor: floor}
	}
	var m Memory
	require.NoError(t, m.Note("a", m.Of("a"), At(12, seconds(600))))
	assert.EqualValues(t, 10, m.Of("a").Raise(minutes(9)))
	assert.EqualValues(t, 11, m.Of("a").Raise(minutes(11)))
	assert.Zero(t, m.Of("a").Raise(store.Namespace{}), "there is none")
	require.ErrorIs(t, m.Note("a", m.Of("a"), At(11, minutes(10))), store.ErrRolledBack,
		"the same instant")
	require.NoError(t, m.Note("a", m.Of("a"), At(11, minutes(11))),
		"a higher floor, though a smaller number")
	require.NoError(t, m.Note("a", m.Of("a"), At(13, store.Namespace{})), "it is removed")
	require.ErrorIs(t, m.Note("a", m.Of("a"), At(11, seconds(660))), store.ErrRolledBack,
		"a larger number, the same instant")
	require.NoError(t, m.Note("a", m.Of("a"), At(11, seconds(661))))
}
