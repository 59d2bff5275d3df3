package preset

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSonyflakesOptions(t *testing.T) {
	c, err := Sonyflake{MachineID: 258}.Config()
	require.NoError(t, err)
	assert.Equal(t, "39|0|0|8|16=258 10ms since 2014-09-01T00:00:00Z", c.Layout.String())
	c, err = Sonyflake{StartTime: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Millisecond, SeqBits: 1, MachineBits: 30, MachineID: 1<<30 - 1}.Config()
	require.NoError(t, err)
	assert.Equal(t, "32|0|0|1|30=1073741823 1ms since 2025-01-01T00:00:00Z", c.Layout.String())
	for name, c := range map[string]struct {
		o    Sonyflake
		says string
	}{
		"sequence 31":      {Sonyflake{SeqBits: 31}, "SeqBits is 31: set it to 1 to 30"},
		"sequence -1":      {Sonyflake{SeqBits: -1}, "SeqBits is -1"},
		"machine 31":       {Sonyflake{MachineBits: 31}, "MachineBits is 31: set it to 1 to 30"},
		"too few for time": {Sonyflake{SeqBits: 16}, "SeqBits 16 + MachineBits 16 are 32: set them to 31 or less"},
		"machine id":       {Sonyflake{MachineID: 65536}, "MachineID is 65536: with MachineBits 16 set it to 0 to 65535"},
		"machine id -1":    {Sonyflake{MachineID: -1}, "MachineID is -1"},
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

// All machines' ids are those of one layout to Migrate: the preset's, which has as
// many bits before and behind the time.
func TestSonyflakesOfAllMachinesMigrateAsThePreset(t *testing.T) {
	asPublished(t)
	of, err := Sonyflake{MachineID: 1<<16 - 1}.Config()
	require.NoError(t, err)
	at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	all := mustNamed(t, "sonyflake").Layout
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
	m, err := uid.Migrate(all, uid.DefaultLayout, at, uid.MigrateOptions{})
	require.NoError(t, err)
	assert.True(t, m.Safe)
}
