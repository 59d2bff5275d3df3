package worker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// In a new epoch a write may be acknowledged that grants nothing yet, since the floor
// lies above it. What is left is what was granted before.
func TestWhatIsAcknowledgedBelowAFloorIsNotGranted(t *testing.T) {
	h := holder{pool: need.pool(), acked: 100,
		spans: []span{{1, 10}, {11, 60}}}
	assert.Equal(t, time.Unix(61, 0).UTC(), h.until().UTC())
	assert.False(t, h.low(30))
	assert.True(t, h.low(31))
	h.spans = nil
	assert.True(t, h.low(noTick))
}
