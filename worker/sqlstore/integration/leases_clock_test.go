package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// In the autumn hour that happens twice, local time says the first when it is the
// second.
func TestLeasesInTheAutumnHour(t *testing.T) {
	t.Setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3") // Central Europe, needing no table of zones
	e := onMariaDB(t, testserver.Durable())
	l := e.leased()
	_, w := row(t, l)
	wrong := 0
	for _, again := range []time.Duration{0, time.Hour} {
		now := nextAutumn().Add(30*time.Minute + again)
		autumn := e.at("/test", fmt.Sprintf("/test?timestamp=%d", now.Unix()))
		var local int64
		require.NoError(t, autumn.db.QueryRow("SELECT UNIX_TIMESTAMP(CAST(NOW() AS CHAR))").Scan(&local))
		if local != now.Unix() {
			wrong++
		}
		v, err := autumn.Store.View(t.Context(), pool, 0, 3)
		require.NoError(t, err)
		assert.Equal(t, now, v.Now)
		assert.Equal(t, v.Epoch, v.Server, "the start does not change with the hour")
	}
	assert.Equal(t, 1, wrong, "the trap is there")
	applied, err := l.Write(t.Context(), w)
	require.NoError(t, err)
	assert.True(t, applied)
}

// nextAutumn is when the hour that happens twice begins next year: at midnight UTC
// before the last Sunday of October in Central Europe.
func nextAutumn() time.Time {
	day := time.Date(time.Now().Year()+1, time.October, 31, 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, -int(day.Weekday()))
}

func TestLeasesOfSessionsInOtherTimeZones(t *testing.T) {
	elsewhere := map[string]string{"mysql": "?time_zone='-11:00'",
		"pgx": "&timezone=Pacific/Kiritimati"}
	forEachServer(t, func(t *testing.T, e env) {
		here := e.leased()
		there := open(t, e.driver, e.dsn+elsewhere[e.driver], e.server).Store
		_, w := row(t, here)
		applied, err := there.Write(t.Context(), w)
		require.NoError(t, err)
		require.True(t, applied)
		v, err := there.View(t.Context(), pool, 2, 2)
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), v.Now, time.Minute)
		assert.WithinDuration(t, v.Now, v.Rows[0].Renewed, time.Minute)
		assert.Equal(t, v.Epoch, v.Server)
	}, testserver.Durable())
}
