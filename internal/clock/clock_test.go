package clock

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// With a monotonic reading, == would see another time than Round returns.
func TestTheWallClockHasNoMonotonicReading(t *testing.T) {
	wall := Real().Wall()
	assert.True(t, wall == wall.Round(0))
}
