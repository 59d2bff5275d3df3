package preset

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestLayoutReproducesTheIDsOfOtherSystems(t *testing.T) {
	vectors := readVectors(t)
	require.GreaterOrEqual(t, len(vectors), 20)
	for name, v := range vectors {
		t.Run(name, func(t *testing.T) {
			l := v.layout()
			require.NotEmpty(t, v.Cases)
			for _, c := range v.Cases {
				want := uid.Parts{
					Time: time.UnixMilli(c.TimeUnixMs).UTC(),
					Tick: c.Tick, Worker: c.Worker, Turn: c.Turn, Seq: c.Seq,
				}
				id, err := l.Compose(want)
				require.NoError(t, err)
				assert.Equal(t, c.ID, id)
				parts, err := l.Parse(c.ID)
				require.NoError(t, err)
				assert.Equal(t, want, parts)
			}
		})
	}
}
