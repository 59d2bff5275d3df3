package preset

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/worker"
)

// The same address and port has the same worker id, others one that nobody had.
func TestLeafsWayToChoose(t *testing.T) {
	c := Leaf{Port: 8080}.Claim(worker.Claim{First: 2, Count: 4})
	assert.Equal(t, worker.Claim{First: 2, Count: 4, Prefer: worker.OwnThenNew, TTL: 9 * time.Second,
		Owner: fmt.Sprintf("%s:8080", machine.This.Host())}, c)
}

// Raindrop calls a worker dead two minutes after its last heartbeat, and after
// longer with longer ticks. Its own row it prefers on demand, in ms and s alone.
func TestRaindropsLivenessAndPriority(t *testing.T) {
	for unit, want := range map[time.Duration]struct {
		ttl time.Duration
		own bool // its own row first, when equal codes have priority
	}{
		0:                {120 * time.Second, true},
		time.Millisecond: {120 * time.Second, true},
		time.Second:      {120 * time.Second, true},
		time.Minute:      {180 * time.Second, false},
		time.Hour:        {time.Hour + 120*time.Second, false},
		24 * time.Hour:   {24*time.Hour + 120*time.Second, false},
	} {
		for priority, own := range map[bool]bool{false: false, true: want.own} {
			c := Raindrop{Port: 80, Unit: unit, PriorityEqualCodeWorkID: priority}.Claim(worker.Claim{})
			assert.Equal(t, want.ttl, c.TTL, unit)
			prefer := map[bool]worker.Preference{false: worker.Oldest, true: worker.OwnThenOldest}[own]
			assert.Equal(t, prefer, c.Prefer, "%v, priority %v", unit, priority)
		}
	}
	assert.Equal(t, Raindrop{Unit: time.Second}.Claim(worker.Claim{}).Owner,
		Raindrop{}.Claim(worker.Claim{}).Owner, "one code")
	assert.NotEqual(t, Raindrop{Port: 1}.Claim(worker.Claim{}).Owner,
		Raindrop{}.Claim(worker.Claim{}).Owner)
}
