package preset

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSonyflakesOptions(t *testing.T) {
	c, err := Sonyflake{}.Config()
	require.NoError(t, err)
	assert.Equal(t, "tsw:39|8|16 10ms since 2014-09-01T00:00:00Z", c.Layout.String())
	c, err = Sonyflake{StartTime: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Millisecond,
		SeqBits: 1, MachineBits: 30}.Config()
	require.NoError(t, err)
	assert.Equal(t, "tsw:32|1|30 1ms since 2025-01-01T00:00:00Z", c.Layout.String())
	for name, c := range map[string]struct {
		o    Sonyflake
		says string
	}{
		"sequence 31": {Sonyflake{SeqBits: 31}, "SeqBits is 31: set it to 1 to 30"},
		"machine 31":  {Sonyflake{MachineBits: 31}, "MachineBits is 31: set it to 1 to 30"},
		"too few for time": {Sonyflake{SeqBits: 16},
			"SeqBits + MachineBits is 32: set it to 2 to 31"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.o.Config()
			require.ErrorIs(t, err, uid.ErrConfig)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, got.Layout)
		})
	}
	_, err = Sonyflake{Unit: 1500 * time.Microsecond}.Config()
	assert.ErrorIs(t, err, uid.ErrLayout, "whole milliseconds")
}
