package uid

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSonyflakesOptions(t *testing.T) {
	c, err := Sonyflake(SonyflakeOptions{MachineID: 258})
	require.NoError(t, err)
	assert.Equal(t, "39|0|0|8|16=258 10ms since 2014-09-01T00:00:00Z", c.Layout.String())
	c, err = Sonyflake(SonyflakeOptions{StartTime: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Millisecond, SeqBits: 1, MachineBits: 30, MachineID: 1<<30 - 1})
	require.NoError(t, err)
	assert.Equal(t, "32|0|0|1|30=1073741823 1ms since 2025-01-01T00:00:00Z", c.Layout.String())
	for name, c := range map[string]struct {
		o    SonyflakeOptions
		says string
	}{
		"sequence 31":      {SonyflakeOptions{SeqBits: 31}, "SeqBits is 31: set it to 1 to 30"},
		"sequence -1":      {SonyflakeOptions{SeqBits: -1}, "SeqBits is -1"},
		"machine 31":       {SonyflakeOptions{MachineBits: 31}, "MachineBits is 31: set it to 1 to 30"},
		"too few for time": {SonyflakeOptions{SeqBits: 16}, "SeqBits 16 + MachineBits 16 are 32: set them to 31 or less"},
		"machine id":       {SonyflakeOptions{MachineID: 65536}, "MachineID is 65536: with MachineBits 16 set it to 0 to 65535"},
		"machine id -1":    {SonyflakeOptions{MachineID: -1}, "MachineID is -1"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Sonyflake(c.o)
			require.ErrorIs(t, err, ErrConfig)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, got.Layout)
		})
	}
	_, err = Sonyflake(SonyflakeOptions{Unit: 1500 * time.Microsecond})
	assert.ErrorIs(t, err, ErrLayout, "whole milliseconds")
}

// All machines' ids are those of one layout to Migrate: the preset's, which has as
// many bits before and behind the time.
func TestSonyflakesOfAllMachinesMigrateAsThePreset(t *testing.T) {
	asPublished(t)
	of, err := Sonyflake(SonyflakeOptions{MachineID: 1<<16 - 1})
	require.NoError(t, err)
	at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	all := mustPreset(t, "sonyflake").Layout
	for _, time := range []time.Time{of.Layout.Epoch, at} {
		lowest, err := all.MinID(time)
		require.NoError(t, err)
		highest, err := all.MaxID(time)
		require.NoError(t, err)
		id, err := of.Layout.MaxID(time)
		require.NoError(t, err)
		assert.Equal(t, highest, id)
		id, err = of.Layout.MinID(time)
		require.NoError(t, err)
		assert.Equal(t, lowest+1<<16-1, id)
	}
	m, err := Migrate(all, DefaultLayout, at, MigrateOptions{})
	require.NoError(t, err)
	assert.True(t, m.Safe)
}
