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

func TestEndDoesNotOverflow(t *testing.T) {
	l := DefaultLayout()
	l.WorkerBits, l.SeqBits = 0, 0
	for _, c := range []struct {
		unit      time.Duration
		bits      int
		unixHours int64 // of the end, minus the epoch's
	}{
		{time.Second, 46, 1 << 46 / 3600},
		{time.Second, 53, 1 << 53 / 3600},
		{24 * time.Hour, 36, 1 << 36 * 24},
	} {
		l.Unit, l.TimeBits = c.unit, c.bits
		assert.Equal(t, c.unixHours, (l.End().Unix()-l.Epoch.Unix())/3600, "%v", l)
	}
	l.Unit = 24 * time.Hour
	for bits := 37; bits <= 63; bits++ {
		l.TimeBits = bits
		assert.InEpsilon(t, int64(farthest), l.End().Unix(), 1e-6, "%v", l)
		assert.True(t, l.End().After(l.Epoch), "%v", l)
	}
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
