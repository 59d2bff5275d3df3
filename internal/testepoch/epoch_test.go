package testepoch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTestsAlwaysHaveALayoutThatLasts(t *testing.T) {
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	end := time.Date(2034, 7, 4, 21, 24, 16, 0, time.UTC)
	assert.Equal(t, epoch, at(time.Date(2032, 2, 29, 0, 0, 0, 0, time.UTC), epoch, end),
		"as long as it lasts")
	for now := epoch; now.Year() < 2060; now = now.AddDate(0, 0, 1) {
		begins := at(now, epoch, end)
		left := begins.Add(end.Sub(epoch)).Sub(now)
		if begins != epoch {
			assert.Greater(t, now.Sub(begins), 364*24*time.Hour, "%v", now)
		}
		assert.Greater(t, left, 2*365*24*time.Hour, "%v", now)
	}
}
