package migrate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/uid"
)

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
