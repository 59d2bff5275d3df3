package migrate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

func change(m Migration, kind string) (Change, bool) {
	for _, c := range m.Changes {
		if c.Kind == kind {
			return c, true
		}
	}
	return Change{}, false
}

// Baidu's defaults ended on 2024-11-20, having used all 63 bits.
func TestGoingOnAfterBaidusTimeIsOver(t *testing.T) {
	at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	m, err := Check(uid.BaiduLayout, uid.DefaultLayout, at, Options{})
	require.NoError(t, err)
	assert.False(t, m.Safe)
	assert.Equal(t, at, m.Since, "at once")
	assert.Equal(t, uid.DefaultLayout.End(), m.Until, "as long as it lasts")
	assert.Empty(t, m.Changes, "no epoch helps: there is no greater id")
	assert.Equal(t, "2033-05-24T10:48:32Z", m.Wraps.Format(time.RFC3339))

	// The table that both share goes on counting.
	m, err = Check(uid.BaiduLayout, uid.DefaultLayout, at, Options{LastWorker: 1234})
	require.NoError(t, err)
	assert.False(t, m.Safe)
	c, ok := change(m, "workers")
	require.True(t, ok)
	assert.EqualValues(t, 1235, c.FirstWorker)
	m, err = Check(uid.BaiduLayout, uid.DefaultLayout, at,
		Options{LastWorker: 1234, FirstWorker: 1235})
	require.NoError(t, err)
	assert.True(t, m.Safe)

	// Or the first years, in which there were no ids yet, are used now.
	began := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	m, err = Check(uid.BaiduLayout, uid.DefaultLayout, at, Options{Began: began})
	require.NoError(t, err)
	assert.Equal(t, uid.DefaultLayout.Epoch.Add(began.Sub(uid.BaiduLayout.Epoch)), m.Since,
		"they last until then")
}

// After its end the original went on with negative ids: an int64 that overflowed.
func TestWhatBaiduGaveOutAfterItsEndIsNegativeAndNotOurs(t *testing.T) {
	m, err := Check(uid.BaiduLayout, uid.DefaultLayout, uid.BaiduLayout.End(), Options{})
	require.NoError(t, err)
	original := func(at time.Time, worker int64) int64 {
		return (at.Unix()-uid.BaiduLayout.Epoch.Unix())<<35 | worker<<13
	}
	for _, at := range []time.Time{uid.BaiduLayout.End(), uid.BaiduLayout.End().AddDate(1, 0, 0),
		m.Wraps.Add(-time.Second)} {
		assert.Negative(t, original(at, 5), at)
		_, err := uid.BaiduLayout.Parse(uid.ID(original(at, 5)))
		assert.ErrorIs(t, err, uid.ErrForeign)
	}
	assert.Equal(t, int64(5<<13), original(m.Wraps, 5), "then from the first again")
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
	_, ok := change(m, "epoch")
	assert.False(t, ok, "53 bits do not reach that far")

	later := uid.DefaultLayout
	later.Epoch = later.Epoch.AddDate(0, 5, 0)
	m, err = Check(uid.DefaultLayout, later, at, Options{Ahead: time.Hour})
	require.NoError(t, err)
	c, ok := change(m, "epoch")
	require.True(t, ok)
	assert.Equal(t, uid.DefaultLayout.Epoch.Add(-time.Hour), c.To.Epoch,
		"the old one's, and an hour for what was borrowed")
	m, err = Check(uid.DefaultLayout, c.To, at, Options{Ahead: time.Hour})
	require.NoError(t, err)
	assert.True(t, m.Safe)
}

func TestOtherTailBitsKeepIDsApartForGood(t *testing.T) {
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	plain := mustPreset(t, "raindrop-s")
	old := plain
	old.Layout.SeqBits, old.Layout.TailBits, old.Layout.Tail = old.Layout.SeqBits-2, 2, 3
	m, err := Check(old.Layout, old.Layout, at, Options{Ahead: time.Second})
	require.NoError(t, err)
	c, ok := change(m, "tail")
	require.True(t, ok)
	assert.EqualValues(t, 2, c.To.Tail)

	m, err = Check(old.Layout, plain.Layout, at, Options{Ahead: time.Second})
	require.NoError(t, err)
	c, ok = change(m, "tail")
	require.True(t, ok)
	assert.Equal(t, []int64{1, 0, int64(plain.Layout.SeqBits - 1)},
		[]int64{int64(c.To.TailBits), c.To.Tail, int64(c.To.SeqBits)})
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
