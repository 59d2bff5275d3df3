package uid

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func layoutOf(t *testing.T, text, epoch string) Layout {
	t.Helper()
	l, err := ParseLayout(text)
	require.NoError(t, err)
	l.Epoch, err = time.Parse(time.RFC3339Nano, epoch)
	require.NoError(t, err)
	return l
}

func TestTicksBeyondAllTimesStopAtTheLast(t *testing.T) {
	l := DefaultLayout()
	for _, unit := range []time.Duration{time.Millisecond, time.Second, 24 * time.Hour} {
		l.Unit = unit
		first, last := l.tickStart(math.MinInt64), l.tickStart(math.MaxInt64)
		assert.True(t, first.Before(l.Epoch), "%v: %v", unit, first)
		assert.True(t, last.After(l.Epoch), "%v: %v", unit, last)
	}
	l.Unit = time.Millisecond
	assert.Equal(t, int64(math.MaxInt64), l.unixTick(time.Unix(farthest, 0)))
	assert.Equal(t, int64(math.MinInt64), l.unixTick(time.Unix(-farthest, 0)))
}

func TestATimeFarBeyondTheEndIsNotWrappedIntoTheLayout(t *testing.T) {
	for _, l := range []Layout{
		{Epoch: time.Unix(firstEpoch, 1), Unit: time.Millisecond, TimeBits: 62},
		{Epoch: time.Unix(firstEpoch, 1), Unit: time.Millisecond, TimeBits: 63},
		{Epoch: DefaultLayout().Epoch, Unit: time.Millisecond, TimeBits: 63},
	} {
		for _, now := range []time.Time{time.Unix(math.MaxInt64/1000+1, 0), time.Unix(farthest, 0),
			time.Unix(-farthest, 0)} {
			_, err := l.MinID(now)
			assert.ErrorIs(t, err, ErrRange, "%v, %v", l, now)
		}
	}
}
