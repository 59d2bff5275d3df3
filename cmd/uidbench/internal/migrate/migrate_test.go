package migrate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// Baidu's defaults ended on 2024-11-20, having used all 63 bits.
func TestGoingOnAfterBaidusTimeIsOver(t *testing.T) {
	at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	m, err := Check(uid.BaiduLayout, uid.DefaultLayout, at, Options{})
	require.NoError(t, err)
	assert.False(t, m.Safe)
	assert.Equal(t, at, m.Since, "at once")
	assert.Equal(t, uid.DefaultLayout.End(), m.Until, "as long as it lasts")

	// The table that both share goes on counting.
	for first, safe := range map[int64]bool{1234: false, 1235: true} {
		m, err = Check(uid.BaiduLayout, uid.DefaultLayout, at,
			Options{LastWorker: 1234, FirstWorker: first})
		require.NoError(t, err)
		assert.Equal(t, safe, m.Safe)
	}
}

// After its end the original went on with negative ids: an int64 that overflowed.
func TestWhatBaiduGaveOutAfterItsEndIsNegativeAndNotOurs(t *testing.T) {
	original := func(at time.Time, worker int64) int64 {
		return (at.Unix()-uid.BaiduLayout.Epoch.Unix())<<35 | worker<<13
	}
	wraps := time.Date(2033, 5, 24, 10, 48, 32, 0, time.UTC)
	for _, at := range []time.Time{uid.BaiduLayout.End(), uid.BaiduLayout.End().AddDate(1, 0, 0),
		wraps.Add(-time.Second)} {
		assert.Negative(t, original(at, 5), at)
		_, err := uid.BaiduLayout.Parse(uid.ID(original(at, 5)))
		assert.ErrorIs(t, err, uid.ErrForeign)
	}
	assert.Equal(t, int64(5<<13), original(wraps, 5), "then from the first again")
}

func TestAnEarlierEpochPutsNewIDsAboveTheOldOnes(t *testing.T) {
	from, to := mustPreset(t, "snowflake").Layout, mustPreset(t, "js-safe").Layout
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	m, err := Check(to, from, at, Options{})
	require.NoError(t, err)
	assert.True(t, m.Safe, "Twitter's are greater by far")

	m, err = Check(from, to, at, Options{})
	require.NoError(t, err)
	assert.False(t, m.Safe)

	// One layout with the epoch an hour earlier, for what was borrowed.
	earlier := uid.DefaultLayout
	earlier.Epoch = earlier.Epoch.Add(-time.Hour)
	for ahead, safe := range map[time.Duration]bool{time.Hour: true, time.Hour + 1: false} {
		m, err = Check(uid.DefaultLayout, earlier, at, Options{Ahead: ahead})
		require.NoError(t, err)
		assert.Equal(t, safe, m.Safe)
	}
}

func TestOtherTailBitsKeepIDsApartForGood(t *testing.T) {
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	from := mustPreset(t, "raindrop-s").Layout
	from.SeqBits, from.TailBits, from.Tail = from.SeqBits-2, 2, 3
	to := from
	for tail, safe := range map[int64]bool{2: true, 3: false} {
		to.Tail = tail
		m, err := Check(from, to, at, Options{Ahead: time.Second})
		require.NoError(t, err)
		assert.Equal(t, safe, m.Safe)
	}
}

func TestTheSameLayoutIsSafeFromOneTickToTheNext(t *testing.T) {
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	m, err := Check(uid.DefaultLayout, uid.DefaultLayout, at, Options{})
	require.NoError(t, err)
	assert.True(t, m.Safe)
	m, err = Check(uid.DefaultLayout, uid.DefaultLayout, at.Add(time.Nanosecond), Options{})
	require.NoError(t, err)
	assert.False(t, m.Safe, "both have the second")
	assert.Equal(t, []time.Time{at, at.Add(time.Second)}, []time.Time{m.Since, m.Until})
}

func TestANewLayoutWhoseTimeIsOver(t *testing.T) {
	_, err := Check(uid.DefaultLayout, uid.BaiduLayout, uid.BaiduLayout.End(), Options{})
	require.ErrorIs(t, err, uid.ErrTimeOver)
	assert.ErrorContains(t, err, "2024-11-20T13:24:16Z")
}

func mustPreset(t *testing.T, name string) uid.Config {
	t.Helper()
	c, err := preset.Named(name)
	require.NoError(t, err)
	return c
}
