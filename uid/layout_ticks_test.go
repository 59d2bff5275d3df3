package uid

import (
	"math"
	"testing"
	"testing/quick"
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

func TestEndIsTheFirstInstantThatDoesNotFit(t *testing.T) {
	const (
		baidu   = "2016-05-20T00:00:00+08:00"
		baidu29 = "2016-09-20T00:00:00+08:00" // of the example in Baidu's README
		twitter = "2010-11-04T01:42:54.657Z"
		yitter  = "2020-02-20T02:20:02.020Z"
		ours    = "2026-01-01T00:00:00Z"
	)
	for _, c := range []struct{ layout, epoch, end string }{
		{"28/22/13", baidu, "2024-11-20T13:24:16Z"},
		{"29/21/13", baidu29, "2033-09-24T10:48:32Z"},
		{"41/10/12@1ms", twitter, "2080-07-10T17:30:30.209Z"},
		{"41/6/6@1ms", ours, "2095-09-07T15:47:35.552Z"},
		{"51/6/6@1ms", yitter, "73376-10-30T22:34:47.268Z"},
		{"16/4/1/42/0@24h", ours, "2205-06-08T00:00:00Z"},
	} {
		t.Run(c.layout+" "+c.epoch, func(t *testing.T) {
			l := layoutOf(t, c.layout, c.epoch)
			assert.Equal(t, c.end, l.End().Format(time.RFC3339Nano))
			_, err := l.MaxID(l.End().Add(-1))
			require.NoError(t, err)
			_, err = l.MinID(l.End())
			require.ErrorIs(t, err, ErrRange)
		})
	}
}

func TestEndDoesNotOverflow(t *testing.T) {
	l := DefaultLayout
	l.WorkerBits, l.SeqBits = 0, 0
	for _, c := range []struct {
		unit      time.Duration
		bits      int
		unixHours int64 // of the end, minus the epoch's
	}{
		{time.Second, 46, 1 << 46 / 3600},
		{time.Second, 55, 1 << 55 / 3600},
		{24 * time.Hour, 40, 1 << 40 * 24},
		{24 * time.Hour, 46, 1 << 46 * 24},
	} {
		l.Unit, l.TimeBits = c.unit, c.bits
		assert.Equal(t, c.unixHours, (l.End().Unix()-l.Epoch.Unix())/3600, "%v", l)
	}
	l.Unit = 24 * time.Hour
	for bits := 47; bits <= 63; bits++ {
		l.TimeBits = bits
		assert.InEpsilon(t, int64(math.MaxInt64), l.End().Unix(), 1e-6, "%v", l)
		assert.True(t, l.End().After(l.Epoch), "%v", l)
	}
}

func TestTicksCountWholeUnitsOfTheUnixEpoch(t *testing.T) {
	const day = 24 * 60 * 60 * 1000
	require.NoError(t, quick.Check(func(ms uint32, tick int64, small uint8) bool {
		l := Layout{Unit: time.Duration(ms>>(small%32)%day+1) * time.Millisecond}
		tick >>= 27 + small%37 // of all sizes, up to 2^36
		start := l.tickStart(tick)
		return assert.Equal(t, tick, l.unixTick(start)) &&
			assert.Equal(t, tick-1, l.unixTick(start.Add(-1))) &&
			assert.Equal(t, tick, l.unixTick(start.Add(l.Unit-1))) &&
			assert.Zero(t, start.UnixMilli()%l.Unit.Milliseconds())
	}, &quick.Config{MaxCount: 10_000}))
}

func TestTicksBeyondAllTimesStopAtTheLast(t *testing.T) {
	l := DefaultLayout
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

func TestMinIDRefusesTimesWithoutIDs(t *testing.T) {
	l := layoutOf(t, "28/22/13@1m", "2026-01-01T00:00:30Z")
	id, err := l.MinID(l.Epoch.Add(-30 * time.Second))
	require.NoError(t, err, "before the epoch, but in its tick")
	assert.Zero(t, id)

	_, err = l.MinID(l.Epoch.Add(-30*time.Second - 1))
	require.ErrorIs(t, err, ErrRange)
	assert.ErrorContains(t, err, "before the layout's epoch")
	_, err = l.MaxID(l.End())
	require.ErrorIs(t, err, ErrRange)
	assert.ErrorContains(t, err, "not before the layout's end")
	_, err = l.MaxID(time.Time{})
	require.ErrorIs(t, err, ErrRange)
}

func TestATimeFarBeyondTheEndIsNotWrappedIntoTheLayout(t *testing.T) {
	for _, l := range []Layout{
		{Epoch: time.Unix(firstEpoch, 1), Unit: time.Millisecond, TimeBits: 62},
		{Epoch: time.Unix(firstEpoch, 1), Unit: time.Millisecond, TimeBits: 63},
		{Epoch: DefaultLayout.Epoch, Unit: time.Millisecond, TimeBits: 63},
	} {
		for _, now := range []time.Time{time.Unix(math.MaxInt64/1000+1, 0), time.Unix(farthest, 0),
			time.Unix(-farthest, 0)} {
			_, err := l.MinID(now)
			assert.ErrorIs(t, err, ErrRange, "%v, %v", l, now)
		}
	}
}
