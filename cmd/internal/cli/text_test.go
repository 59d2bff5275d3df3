package cli

import (
	"testing"

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
