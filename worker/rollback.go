package worker

import (
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// rollback is what a claim and all its leases know about a store that went back in time.
// The zero value knows nothing.
//
// It is known of a layout, by its fingerprint: a namespace that was made again for another
// one counts other ticks, and ids of two layouts never meet. A namespace may become the
// first layout's again, by a restore too, so what was lost of each layout stays known.
type rollback struct {
	mu   sync.Mutex
	lost map[string]loss
}

// loss is what a store may have lost of a layout. Its ticks are the layout's.
type loss struct {
	floor int64 // grants under this floor, or under a lower one
	asked int64 // the highest tick that those who noticed had asked for
}

// note records that the store lost grants of a layout that were made under a floor.
func (r *rollback) note(fingerprint string, floor, asked int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost == nil {
		r.lost = map[string]loss{}
	}
	if known, ok := r.lost[fingerprint]; ok {
		floor, asked = max(known.floor, floor), max(known.asked, asked)
	}
	r.lost[fingerprint] = loss{floor, asked}
}

// floorFor returns the floor that has to be set before anything is granted in the namespace
// of v; false when nothing of its layout is lost, or the floor was raised since the store
// went back. The store went back to a moment before the lost write was acknowledged, so to
// a floor of at most the lost one, and floors only rise.
func (r *rollback) floorFor(v store.View, slack time.Duration) (floor int64, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lost, known := r.lost[v.Fingerprint]
	if !known || v.Floor > lost.floor {
		return 0, false
	}
	floor = max(v.SafeFloor(slack), lost.floor+1)
	if lost.asked != noTick {
		floor = max(floor, lost.asked+store.SlackTicks(slack, v.Unit))
	}
	return floor, true
}
