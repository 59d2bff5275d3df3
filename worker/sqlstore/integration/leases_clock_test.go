package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In the autumn hour that happens twice, local time says the first when it is the
// second.
func TestLeasesInTheAutumnHour(t *testing.T) {
	wrong := 0
	for _, in := range []time.Duration{30 * time.Minute, -30 * time.Minute} {
		t.Setenv("TZ", autumn(in))
		e := durable(t, "MariaDB")
		off, err := e.number("SELECT UNIX_TIMESTAMP(CAST(NOW() AS CHAR)) - UNIX_TIMESTAMP()")
		require.NoError(t, err)
		if off != 0 {
			wrong++
		}
		l := e.leased()
		was := e.incarnation(t)
		v, err := l.View(t.Context(), pool, 0, 3)
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), v.Now, 30*time.Minute)
		assert.Equal(t, was, v.Server)
		_, w := row(t, l)
		applied, err := l.Write(t.Context(), w)
		require.NoError(t, err)
		assert.True(t, applied)
	}
	assert.Equal(t, 1, wrong, "the trap is there")
}

// autumn is a time zone in which it is noon, and whose clocks are set back this far from now.
func autumn(in time.Duration) string {
	now := time.Now().UTC()
	west := now.Hour() - 12
	end := now.Add(in + time.Hour - time.Duration(west)*time.Hour) // in summer time
	day := end.YearDay() - 1
	return fmt.Sprintf("STD%dDST,%d/0,%d/%s", west, (day+265)%365, day, end.Format("15:04:05"))
}

func TestLeasesOfSessionsInOtherTimeZones(t *testing.T) {
	elsewhere := map[string]string{"mysql": "?time_zone='-11:00'",
		"pgx": "&timezone=Pacific/Kiritimati"}
	forEachServer(t, among, func(t *testing.T, e env) {
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
	})
}
