package preset

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRaindropsBadOptionsAreErrorsThatNameThem(t *testing.T) {
	for name, c := range map[string]struct {
		o    Raindrop
		says string
	}{
		"unit": {Raindrop{Unit: 2 * time.Second}, "Unit is 2s"},
		"ms 40": {Raindrop{Unit: time.Millisecond, TimeBits: 40},
			"TimeBits is 40: with ticks of 1ms set it to 41 to 55"},
		"s 30": {Raindrop{TimeBits: 30},
			"TimeBits is 30: with ticks of 1s set it to 31 to 55"},
		"d 14": {Raindrop{Unit: 24 * time.Hour, TimeBits: 14},
			"with ticks of 24h0m0s set it to 15 to 40"},
		"worker bits 11": {Raindrop{WorkerBits: 11},
			"WorkerBits is 11: with ticks of 1s set it to 3 to 10"},
		"turn":       {Raindrop{Turn: 2}, "Turn is 2"},
		"end bits 6": {Raindrop{TailBits: 6}, "TailBits is 6: with ticks of 1s set it to 0 to 5"},
		"end value": {Raindrop{TailBits: 2, Tail: 4},
			"Tail is 4: with ticks of 1s set it to 0 to 3"},
		"no sequence": {Raindrop{TimeBits: 55, WorkerBits: 7},
			"TimeBits + WorkerBits + TailBits is 62: with ticks of 1s set it to 18 to 61"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.o.Config()
			require.ErrorIs(t, err, uid.ErrConfig)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, got.Layout)
		})
	}
	c, err := Raindrop{TimeBits: 55, WorkerBits: 6}.Config()
	require.NoError(t, err)
	assert.Equal(t, 1, c.Layout.SeqBits, "one bit is enough")
	_, err = Raindrop{Start: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)}.Config()
	assert.ErrorIs(t, err, uid.ErrLayout)
}
