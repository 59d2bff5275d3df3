package rewind

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// Answers may come in another order than they were given in; that is no restore.
func TestLateAnswer(t *testing.T) {
	var m Memory
	before := m.Of("a")
	require.NoError(t, m.Note("a", before, Mark{12, 7}))
	require.NoError(t, m.Note("a", before, Mark{10, 7}), "asked for before 12 was seen")
	assert.Equal(t, Mark{12, 7}, m.Of("a"))
	require.ErrorIs(t, m.Note("a", m.Of("a"), Mark{10, 7}), store.ErrRolledBack)
	require.ErrorIs(t, m.Note("a", m.Of("a"), Mark{10, 0}), store.ErrRolledBack, "and the namespace is gone")
	require.NoError(t, m.Note("b", m.Of("b"), Mark{10, 7}), "another namespace")
	require.NoError(t, m.Note("a", m.Of("a"), Mark{10, 8}), "somebody has raised the floor")
	assert.Equal(t, Mark{10, 8}, m.Of("a"))
}
