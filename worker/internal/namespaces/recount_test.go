package namespaces

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// A High in another unit ends no earlier, and less than a tick later; and no way back lowers it.
func TestRecount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	unit := func() store.Namespace {
		longest := []int64{10, 1000, 86_400_000}[r.IntN(3)]
		return store.Namespace{Unit: time.Duration(1+r.Int64N(longest)) * time.Millisecond}
	}
	for range 100_000 {
		was, is := unit(), unit()
		high := was.TickAt(time.UnixMilli(-1e12 + r.Int64N(1e14)))
		got := Recount(high, was.Unit, is)
		late := is.Start(got + 1).Sub(was.Start(high + 1))
		require.False(t, late < 0 || late >= is.Unit, "%d ticks of %v are %d of %v, which end %v later",
			high, was.Unit, got, is.Unit, late)
		back := Recount(got, is.Unit, was)
		require.GreaterOrEqual(t, back, high, "%d ticks of %v are %d of %v, and these %d", high, was.Unit,
			got, is.Unit, back)
	}
}

func TestRecountLeavesWhatItCan(t *testing.T) {
	n := store.Namespace{Unit: time.Second}
	assert.Equal(t, int64(1<<60), Recount(1<<60, time.Second, n))
	assert.Equal(t, int64(1<<60), Recount(1<<60, 0, n), "the text is older than units in it")
}
