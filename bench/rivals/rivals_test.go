package main

import (
	"testing"
	"time"

	"github.com/rs/xid"
	"github.com/stretchr/testify/assert"
)

// The table says so of this rival; here is where it can be seen.
func TestXidRepeatsAfterAllNumbersOfASecond(t *testing.T) {
	now := time.Unix(1, 0)
	first := xid.NewWithTime(now)
	for range 1<<24 - 1 {
		xid.NewWithTime(now)
	}
	assert.Equal(t, first, xid.NewWithTime(now))
}
