package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 ids":        Count(0, "id"),
		"1 id":         Count(1, "id"),
		"2,000 ids":    Count(2000, "id"),
		"1 process":    Count(1, "process"),
		"2 processes":  Count(2, "process"),
		"1 DUPLICATE":  Count(1, "DUPLICATE"),
		"3 DUPLICATES": Count(3, "DUPLICATE"),
	} {
		assert.Equal(t, want, got)
	}
}

func TestLongWaitsAreDays(t *testing.T) {
	from := time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)
	for want, until := range map[string]time.Time{
		"1m10s":          from.Add(70*time.Second + time.Millisecond),
		"71h59m59s":      from.Add(72*time.Hour - time.Second),
		"3 days":         from.Add(72 * time.Hour),
		"1,134 days":     time.Date(2029, 12, 31, 23, 59, 0, 0, time.UTC),
		"2,912,116 days": time.Date(9999, 12, 31, 23, 59, 0, 0, time.UTC),
	} {
		assert.Equal(t, want, Wait(from, until))
	}
}
