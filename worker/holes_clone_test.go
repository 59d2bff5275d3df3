package worker

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A clone that extends first must not mint what its original may have minted.
func TestScheduleClone(t *testing.T) {
	l := newSchedule(t, 1)
	l.tick = 100
	original := l.actor("original").acquire()
	original.mint(110)
	clone := original.copy("clone")
	original.mint(150)

	l.tick = 120
	clone.restore()
	require.True(t, clone.extend())
	lo, hi := clone.grants()
	assert.Equal(t, []int64{161, 180}, []int64{lo, hi})
	clone.mint(1000)
	original.mint(1000)
	assert.False(t, original.extend(), "one of two writes with one nonce wins")
	_, err := original.readRow()
	require.NoError(t, err)
	assert.ErrorIs(t, original.lost, ErrFenced)
}

// Without the hook a clone and its original mint the same, but no tick above the
// window that they shared, and only one of them goes on.
func TestHoleCloneWithoutTheHook(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	a.mint(10)
	b := a.copy("B")
	_, shared := a.grants()
	l.tick = 50
	require.True(t, a.extend())
	a.mint(1000)
	assert.False(t, b.extend())
	_, err := b.readRow()
	require.NoError(t, err)
	assert.ErrorIs(t, b.lost, ErrFenced, "and drops the rest of what they share")
	lo, hi := b.grant()
	assert.Greater(t, lo, hi)
	assert.Equal(t, int64(60), shared)
}

// What was under way at the snapshot may be acknowledged to both.
func TestHoleWriteUnderWayAtTheSnapshot(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	l.tick = 30
	w := a.ask()
	b := a.copy("B")
	b.restore()
	require.True(t, a.send(w))
	b.wrote(w, true, nil) // a forked connection
	a.mint(1000)
	b.mint(1000)
	l.tick = 40
	require.True(t, b.extend())
	lo, _ := b.grants()
	assert.Equal(t, int64(91), lo, "above what the write granted, too")
	b.mint(1000)
}

func TestHoleReleaseOfAClone(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	a.mint(10)
	b := a.copy("B")
	b.restore()
	require.True(t, b.free())
	assert.Equal(t, int64(60), rel(l.row().High), "the original may mint all of it")
	l.tick = 5
	c := l.actor("C").acquire()
	c.mint(1000)
	a.mint(1000)
}
