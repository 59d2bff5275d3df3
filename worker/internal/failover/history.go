package failover

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// history is what the store was asked to write and what it acknowledged.
type history struct {
	mu                      sync.Mutex
	writes                  map[store.Nonce]numbered // all that were sent
	last                    map[int64]store.Nonce    // acknowledged, by worker id
	high                    int64                    // of all that were sent
	applied, missed, failed int
	wrong                   []string
}

// numbered is a write in the order of sending.
type numbered struct {
	store.Write
	number int
}

func newHistory() *history {
	return &history{writes: map[store.Nonce]numbered{}, last: map[int64]store.Nonce{},
		high: math.MinInt64}
}

func (h *history) sent(w store.Write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.writes[w.Nonce] = numbered{w, len(h.writes) + 1}
	h.high = max(h.high, w.High)
}

func (h *history) answered(w store.Write, applied bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err != nil:
		h.failed++
	case !applied:
		h.missed++
	default:
		h.applied++
		// The answer to an older write may come behind that to a newer one.
		if was, ok := h.last[w.Worker]; !ok || !h.builtOn(was, w.Nonce) {
			h.last[w.Worker] = w.Nonce
		}
	}
}

// builtOn says whether the write that left a nonce was built on the one that left
// base, or is that.
func (h *history) builtOn(nonce, base store.Nonce) bool {
	for todo := []store.Nonce{nonce}; len(todo) > 0; {
		nonce, todo = todo[0], todo[1:]
		if nonce == base {
			return true
		}
		if w := h.writes[nonce]; w.number > h.writes[base].number {
			todo = append(todo, w.Expect...)
		}
	}
	return false
}

// acknowledged is, by worker id, the last write that the store has acknowledged.
func (h *history) acknowledged() map[int64]store.Nonce {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.last)
}

// compare notes what a view does not show though it was acknowledged before the
// view was asked for.
func (h *history) compare(acknowledged map[int64]store.Nonce, v store.View, asked time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, row := range v.Rows {
		nonce, ok := acknowledged[row.Worker]
		if ok && !h.builtOn(row.Nonce, nonce) {
			h.wrong = append(h.wrong,
				fmt.Sprintf("worker id %d: asked at %s, shows %v with High %d; acknowledged was %v with %d",
					row.Worker, asked.Format(time.StampMicro), row.Nonce, row.High, nonce, h.writes[nonce].High))
		}
	}
}

func (h *history) faults() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.wrong)
}

// highest is the last tick that anybody has asked to be granted.
func (h *history) highest() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.high
}

func (h *history) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprintf("%d writes applied, %d missed, %d not known", h.applied, h.missed, h.failed)
}
