package uid

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpreadHasAnInverse(t *testing.T) {
	ids := []ID{0, 1, 2, math.MaxInt64, math.MaxInt64 - 1, 1 << 62, -1, math.MinInt64}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		ids = append(ids, ID(random.Int64()))
	}
	for _, id := range ids {
		spread := id.Spread()
		if id.Unspread() < 0 != (id < 0) || spread < 0 != (id < 0) || spread.Unspread() != id ||
			id.Unspread().Spread() != id {
			require.FailNow(t, "no inverse", "%d is spread to %d, and that back to %d", id, spread,
				spread.Unspread())
		}
	}
}

// A key's spread form must not change from one version to the next.
func TestSpreadIsWhatItWas(t *testing.T) {
	for id, want := range map[ID]ID{
		0: 0, 1: 2558316640067307269, 538815673191686144: 1938656953348744945,
	} {
		assert.Equal(t, want, id.Spread(), "of %d", id)
	}
}
