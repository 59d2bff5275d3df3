package idlog

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

func TestIDsAreReadAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := uid.ID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "id"))
		for _, text := range []string{want.String(), fmt.Sprintf("%024d", want)} {
			got, err := parseID([]byte(text))
			require.NoError(t, err)
			require.Equal(t, want, got, text)
		}
		got, err := parseBase32([]byte(want.Base32()))
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestAnIDInBase32IsNamedAsOne(t *testing.T) {
	_, err := parseID([]byte("0H36H2B7DNQAN"))
	assert.ErrorContains(t, err, "would be an id in base32")
	for _, text := range []string{"", "123", "0H36H2B7DNQAU", "0H36H2B7DNQANN"} {
		_, err := parseBase32([]byte(text))
		assert.ErrorIs(t, err, ErrLine, text)
	}
}

func TestWhatIsNotAnID(t *testing.T) {
	for _, text := range []string{"", "-1", "+1", "1.5", "1e3", "9223372036854775808", "9999999999999999999", "99999999999999999999", "twelve", "8000000000000X", "0x10"} {
		_, err := parseID([]byte(text))
		assert.ErrorIs(t, err, ErrLine, text)
	}
}

func TestTimesOfLoggers(t *testing.T) {
	want := time.Date(2026, 1, 2, 15, 4, 5, int(123*time.Millisecond), time.UTC).UnixMilli()
	utc, shanghai := times{}, times{zone: time.FixedZone("", 8*3600)}
	for _, text := range []string{
		"2026-01-02T15:04:05.123Z", "2026-01-02 15:04:05.123", "2026-01-02 15:04:05,123", "2026/01/02 15:04:05.123",
		"2026-01-02T15:04:05.123999Z", "2026-01-02T23:04:05.123+08:00", "2026-01-02T23:04:05.123+0800", "2026-01-02 09:04:05.123-06:00",
		"1767366245.123", "1767366245.1239", "1767366245123", "1767366245123456", "1767366245123456789", "1.767366245123e+09",
	} {
		got, err := utc.parse([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"2026-01-02T23:04:05.123", "2026-01-02T15:04:05.123Z", "1767366245.123"} {
		got, err := shanghai.parse([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	got, err := utc.parse([]byte("1767366245"))
	require.NoError(t, err)
	assert.Equal(t, want-123, got)
	for _, text := range []string{"", "-5", "now", "2026-01-02", "2026-13-02T15:04:05Z", "2026-01-02T15:04", "15:04:05", "NaN", "Inf", "1e300", "5.x", "99999999999999999999"} {
		_, err := utc.parse([]byte(text))
		assert.ErrorIs(t, err, ErrLine, text)
	}
}
