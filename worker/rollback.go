package worker

import (
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// rollback is what a claim and all its leases know about a store that went back in time.
// The zero value knows nothing.
type rollback struct {
	mu    sync.Mutex
	known bool
	floor int64 // grants under this floor, or under a lower one, may be lost
	asked int64 // the highest tick that those who noticed had asked for
}

// note records that the store lost grants that were made under a floor.
func (r *rollback) note(floor, asked int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.known {
		r.known, r.floor, r.asked = true, floor, asked
	}
	r.floor, r.asked = max(r.floor, floor), max(r.asked, asked)
}

// floorFor returns the floor that has to be set before anything is granted in the namespace
// of v; false when the floor was raised since the store went back. The store went back to a
// moment before the lost write was acknowledged, so to a floor of at most r.floor, and
// floors only rise.
func (r *rollback) floorFor(v store.View, slack time.Duration) (floor int64, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.known || v.Floor > r.floor {
		return 0, false
	}
	floor = max(v.SafeFloor(slack), r.floor+1)
	if r.asked != noTick {
		floor = max(floor, r.asked+store.SlackTicks(slack, v.Unit))
	}
	return floor, true
}
