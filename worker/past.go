package worker

import (
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// past is what a claim and all its leases know of a store that went back in time.
// The zero value knows of nothing.
type past struct {
	mu    sync.Mutex
	known bool
	floor int64 // floors up to this one are from before: something was lost above
	asked int64 // no tick above it was asked for by those who noticed
}

// distrust notes that the store lost what was granted under a floor.
func (p *past) distrust(floor, asked int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.known {
		p.known, p.floor, p.asked = true, floor, asked
	}
	p.floor, p.asked = max(p.floor, floor), max(p.asked, asked)
}

// behind is the floor that has to be set before anything is granted in what v
// shows, or false when it was lifted since the store went back: it went back to a
// moment before the lost write was acknowledged, under a floor that is not above
// p.floor, and floors only rise.
func (p *past) behind(v store.View, slack time.Duration) (floor int64, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.known || v.Floor > p.floor {
		return 0, false
	}
	floor = max(v.Behind(slack), p.floor+1)
	if p.asked != noTick {
		floor = max(floor, p.asked+store.SlackTicks(slack, v.Unit))
	}
	return floor, true
}
