package ringbuffer

import (
	"math"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestImpossibleSizesAreRefused(t *testing.T) {
	for _, c := range []struct {
		slots, span, spacing int
		counted              int64
	}{
		{0, 256, 0, 1}, {-1, 256, 0, 1}, {3, 256, 0, 1}, {MaxSlots * 2, 1, 0, 1}, {16, 0, 0, 1},
		{16, -8, 0, 1}, {16, MaxSpan + 1, 0, 1},
		{16, 16, -1, 1}, {16, 16, 63, 1}, {16, 16, 0, 0}, {16, 16, 4, 8}, {16, 16, 4, 24},
		{16, 16, 4, -16},
	} {
		_, err := newRing(c.slots, c.span, c.spacing, c.counted)
		assert.ErrorContains(t, err, "ringbuffer: ", "%d slots of %d", c.slots, c.span)
	}
}

// What different CPUs write must not share a cache line.
func TestHotFieldsHaveTheirOwnCacheLines(t *testing.T) {
	var r Ring
	cursor, tail := int(unsafe.Offsetof(r.cursor)), int(unsafe.Offsetof(r.tail))
	low, stale, slots := int(unsafe.Offsetof(r.low)), int(unsafe.Offsetof(r.stale)),
		int(unsafe.Offsetof(r.slots))
	assert.GreaterOrEqual(t, cursor, cacheline.Size)
	assert.GreaterOrEqual(t, tail-cursor, cacheline.Size)
	assert.GreaterOrEqual(t, low-tail, cacheline.Size)
	assert.GreaterOrEqual(t, stale-low, cacheline.Size)
	assert.GreaterOrEqual(t, slots-stale, cacheline.Size)
	assert.GreaterOrEqual(t, int(unsafe.Sizeof(r)-unsafe.Offsetof(r.span)), cacheline.Size)

	var s slot
	assert.EqualValues(t, 1<<slotBits, unsafe.Sizeof(s))
	assert.EqualValues(t, 2*line, unsafe.Sizeof(s))
	assert.EqualValues(t, line, unsafe.Offsetof(s.next))
	for _, slots := range []int{1, 2, 4, 16, 256} { // none begins in the middle of a line
		r, err := newRing(slots, 1, 0, math.MaxInt64)
		require.NoError(t, err)
		assert.Zero(t, uintptr(r.slots)%line)
	}
}

// Whoever took the last number may not have moved the cursor yet: nothing is left, and
// nothing can be put.
func TestAUsedUpSlotCountsUntilTheCursorHasLeftIt(t *testing.T) {
	r, err := newRing(1, 1, 0, math.MaxInt64)
	require.NoError(t, err)
	require.True(t, r.Put(0, 1))
	r.Begin()
	_, ok, slots := r.Front()
	assert.False(t, ok)
	assert.Equal(t, 1, slots)
	assert.False(t, r.Put(1, 1))

	r, err = newRing(4, 1, 0, math.MaxInt64)
	require.NoError(t, err)
	require.True(t, r.Put(0, 1))
	require.True(t, r.Put(1, 1))
	for range 3 {
		r.Begin()
	}
	assert.EqualValues(t, 1, r.Left())
	next, ok, slots := r.Front()
	assert.True(t, ok, "in the slot behind it")
	assert.Equal(t, int64(1), next)
	assert.Equal(t, 2, slots)
}

// A clock that is ahead for a moment drops all there is, far beyond what was ever
// put. Set right, it puts numbers below that, and they must be as good as any.
func TestWhatIsPutAfterADropIsNotStale(t *testing.T) {
	r, err := newRing(4, 4, 0, math.MaxInt64)
	require.NoError(t, err)
	require.Zero(t, r.Drop(1000))
	assert.EqualValues(t, -1, r.Stale(), "nothing was put yet")
	require.True(t, r.Put(0, 4))
	require.Zero(t, r.Drop(-1), "there is nothing below the first number")
	require.EqualValues(t, 1, r.Drop(0))
	require.EqualValues(t, 3, r.Drop(math.MaxInt64))
	assert.EqualValues(t, 3, r.Stale())
	require.True(t, r.Put(4, 4))
	first, n, _ := r.takeSpan(4)
	assert.Equal(t, 4, n)
	assert.Greater(t, first, r.Stale())
}

// A walk goes on over a slot that the cursor leaves meanwhile, and that may be put again.
func TestAWalkOverWhatWasLeft(t *testing.T) {
	r, err := newRing(2, 2, 0, math.MaxInt64)
	require.NoError(t, err)
	begin := r.cursor.Load() >> slotBits
	for first := range int64(3) {
		require.True(t, r.Put(4*first, 2))
		require.True(t, r.Put(4*first+2, 2))
		r.takeSpan(2)
		for p := begin; p < r.cursor.Load()>>slotBits; p++ {
			next, last, there := r.look(p)
			assert.True(t, there)
			assert.Greater(t, next, last)
		}
		front, ok, slots := r.Front()
		assert.True(t, ok)
		assert.Equal(t, 1, slots)
		assert.Equal(t, 4*first+2, front)
		assert.EqualValues(t, 2, r.Left())
		r.takeSpan(2)
	}
}

// That no number comes twice rests on this.
func TestWhatASlotHoldsGrows(t *testing.T) {
	r, err := newRing(1, 4, 0, math.MaxInt64)
	require.NoError(t, err)
	require.True(t, r.Put(10, 4))
	require.EqualValues(t, 4, r.Drop(math.MaxInt64))
	for _, first := range []int64{0, 10, 13} {
		assert.False(t, r.Put(first, 1), "%d", first)
	}
	assert.True(t, r.Put(14, 1))
}

// Takers that were stopped between the look and the add add in vain, however many
// they are, whatever the distance of two numbers is, and with the highest number
// there is.
func TestOvershootNeverBecomesANumber(t *testing.T) {
	takers := uint64(1_000_000)
	for _, spacing := range []int{0, 1, 16, 40, 62} {
		r, err := newRing(1, 1, spacing, math.MaxInt64>>spacing<<spacing)
		require.NoError(t, err)
		require.True(t, r.Put(math.MaxInt64, 1), "spacing %d", spacing)
		begun := r.Begin()
		number, n, _ := r.Take(begun, 1)
		require.Equal(t, 1, n)
		require.EqualValues(t, int64(math.MaxInt64), number)
		for range takers {
			begun.v = r.slot(0).next.Add(1) - 1
			if _, ok := r.Number(begun); ok || begun.v <= r.last(begun.end) {
				t.Fatalf("spacing %d: a number after the last: %+v", spacing, begun)
			}
		}
		_, n, _ = r.Take(begun, 1)
		require.Zero(t, n)
		require.Zero(t, r.Left())
		require.Zero(t, r.Drop(math.MaxInt64))
	}
}

// The bound: goroutines of two kilobytes each, in all of a machine's addresses,
// every one of them stopped with the longest batch, do not wrap a counter around.
func TestNoMachineHasTakersForAWrap(t *testing.T) {
	const goroutines = 1 << 48 / 2048
	assert.Less(t, uint64(goroutines)*MaxSpan, uint64(1<<63))

	r, err := newRing(1, 4, 0, math.MaxInt64)
	require.NoError(t, err)
	require.True(t, r.Put(0, 4))
	r.takeSpan(math.MaxInt)
	assert.EqualValues(t, 4, r.slot(0).next.Load(), "no more than a span is asked for")
}

// Whoever asks how much is in the ring, beside takes and puts, gets an answer that can be.
func TestUsedIsFromNoneToAllSlots(t *testing.T) {
	r, err := newRing(2, 1, 0, math.MaxInt64)
	require.NoError(t, err)
	var done atomic.Bool
	go func() {
		defer done.Store(true)
		for n := range int64(300_000) {
			r.Put(n, 1)
			r.take()
		}
	}()
	for !done.Load() {
		if _, _, slots := r.Front(); slots < 0 || slots > 2 {
			require.Fail(t, "impossible", "%d", slots)
		}
	}
}
