package idset

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

// The set of pages against a map, with ids of any kind.
func TestASetKnowsWhatItHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(
			rapid.Int64Range(0, 2000), // neighbours
			rapid.SampledFrom([]int64{0, 1, 511, 512, math.MaxInt64, math.MinInt64, -1}),
			rapid.Int64(),
		)
		s, model := New(uid.DefaultLayout()), map[int64]bool{}
		for _, v := range rapid.SliceOf(id).Draw(t, "ids") {
			require.Equal(t, model[v], s.Add(uid.ID(v)))
			model[v] = true
		}
	})
}
