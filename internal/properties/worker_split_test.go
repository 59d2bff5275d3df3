package properties

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/worker"
)

func TestASplitTakesApartWhatItJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s worker.Split
		var parts []int64
		left := 62
		for range rapid.IntRange(0, 6).Draw(t, "parts") {
			bits := rapid.IntRange(0, left).Draw(t, "bits")
			left -= bits
			s = append(s, bits)
			parts = append(parts, rapid.Int64Range(0, 1<<bits-1).Draw(t, "part"))
		}
		bits, err := s.Bits()
		require.NoError(t, err)
		require.Equal(t, 62-left, bits)
		id, err := s.Join(parts...)
		require.NoError(t, err)
		require.GreaterOrEqual(t, id, int64(0))
		require.LessOrEqual(t, id, int64(1)<<bits-1)
		got, err := s.Parts(id)
		require.NoError(t, err)
		require.Len(t, got, len(parts))
		for i := range parts {
			require.Equal(t, parts[i], got[i])
		}
	})
}
