package ringbuffer

import (
	"math"
	"testing"
	"unsafe"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewRefusesImpossibleSizes(t *testing.T) {
	for _, c := range []struct{ slots, span, spacing int }{
		{0, 256, 0}, {-1, 256, 0}, {3, 256, 0}, {MaxSlots * 2, 1, 0}, {16, 0, 0}, {16, -8, 0}, {16, 12, 0}, {16, 2 * MaxSpan, 0},
		{16, 16, -1}, {16, 16, 63},
	} {
		_, err := New(c.slots, c.span, c.spacing)
		assert.ErrorIs(t, err, ErrSize, "%d slots of %d", c.slots, c.span)
	}
}

// What different CPUs write must not share a cache line.
func TestHotFieldsHaveTheirOwnCacheLines(t *testing.T) {
	var r Ring
	cursor, tail := unsafe.Offsetof(r.cursor), unsafe.Offsetof(r.tail)
	low, slots := unsafe.Offsetof(r.low), unsafe.Offsetof(r.slots)
	assert.GreaterOrEqual(t, cursor, uintptr(cacheline.Size))
	assert.GreaterOrEqual(t, tail-cursor, uintptr(cacheline.Size))
	assert.GreaterOrEqual(t, low-tail, uintptr(cacheline.Size))
	assert.GreaterOrEqual(t, slots-low, uintptr(cacheline.Size))
	assert.GreaterOrEqual(t, unsafe.Sizeof(r)-unsafe.Offsetof(r.shift), uintptr(cacheline.Size))
}

func TestTheDefaultRingIsSmall(t *testing.T) {
	r, err := New(256, 256, 0) // 65,536 numbers
	require.NoError(t, err)
	assert.Less(t, unsafe.Sizeof(*r)+uintptr(len(r.slots))*unsafe.Sizeof(r.slots[0]), uintptr(64<<10))
}

func TestTheHighestNumbersSurvive(t *testing.T) {
	r, err := New(2, 256, 0)
	require.NoError(t, err)
	require.True(t, r.Put(math.MaxInt64-1, 2))
	require.Zero(t, r.Skip(math.MaxInt64-1), "the last number is above it")
	for _, want := range []int64{math.MaxInt64 - 1, math.MaxInt64} {
		got, s := r.Take()
		require.Equal(t, Taken, s)
		require.Equal(t, want, got)
	}
	require.True(t, r.Put(math.MaxInt64, 1))
	require.EqualValues(t, 1, r.Skip(math.MaxInt64), "also the slot with the highest number there is")
	r.Expire(math.MaxInt64)
	require.EqualValues(t, math.MaxInt64, r.Stale())
	require.True(t, r.Put(math.MaxInt64, 1))
	require.EqualValues(t, 1, r.Flush())
}

func TestTakeAllocatesNothing(t *testing.T) {
	r, err := New(1, 2, 0)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		r.Put(1, 2)
		r.Arm(1)
		r.Take()
		r.TakeSpan(8)
	}))
}

// A clock that is ahead for a moment drops all there is, far beyond what was ever
// put. Set right, it puts numbers below that, and they must be as good as any.
func TestWhatIsPutAfterADropIsNotStale(t *testing.T) {
	r, err := New(4, 4, 0)
	require.NoError(t, err)
	r.Expire(1000)
	assert.EqualValues(t, -1, r.Stale(), "nothing was put yet")
	require.True(t, r.Put(0, 4))
	require.EqualValues(t, 4, r.Skip(math.MaxInt64))
	r.Expire(math.MaxInt64)
	assert.EqualValues(t, 3, r.Stale())
	require.True(t, r.Put(4, 4))
	first, n, _ := r.TakeSpan(4)
	assert.Equal(t, 4, n)
	assert.Greater(t, first, r.Stale())
	r.Seal()
	assert.EqualValues(t, math.MaxInt64, r.Stale())
}
