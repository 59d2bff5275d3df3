package worker

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatic(t *testing.T) {
	for _, c := range []struct {
		name      string
		id, maxID int64
		err       []string // nil: assigned
	}{
		{"smallest", 0, 1023, nil},
		{"largest", 1023, 1023, nil},
		{"no worker bits", 0, 0, nil},
		{"one too many", 1024, 1023, []string{"1024", "1023", "smaller"}},
		{"far too large", math.MaxInt64, 1023, []string{"9223372036854775807", "1023"}},
		{"negative", -1, 1023, []string{"-1", "negative", "1023"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lease, err := Static(c.id).Assign(t.Context(), Need{MaxID: c.maxID})
			if c.err != nil {
				assert.Nil(t, lease)
				require.ErrorIs(t, err, ErrRange)
				for _, word := range c.err {
					assert.ErrorContains(t, err, word)
				}
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.id, lease.WorkerID())
			assert.Equal(t, Unfenced, lease.Class())
			assertForever(t, lease)
		})
	}
}
