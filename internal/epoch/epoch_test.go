package epoch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTestsAlwaysHaveALayoutThatLasts(t *testing.T) {
	end := time.Date(2034, 7, 4, 21, 24, 16, 0, time.UTC)
	assert.Equal(t, Published, at(time.Date(2032, 2, 29, 0, 0, 0, 0, time.UTC)), "as long as it lasts")
	for now := Published; now.Year() < 2060; now = now.AddDate(0, 0, 1) {
		begins := at(now)
		left := begins.Add(end.Sub(Published)).Sub(now)
		if begins != Published {
			assert.Greater(t, now.Sub(begins), 364*24*time.Hour, "%v", now)
		}
		assert.Greater(t, left, 2*365*24*time.Hour, "%v", now)
	}
}
