package fleet

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

var errSilent = errors.New("fleet: cut off from the store")

// ledger is what the store was asked to write and what it acknowledged.
type ledger struct {
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

func newLedger() *ledger {
	return &ledger{writes: map[store.Nonce]numbered{}, last: map[int64]store.Nonce{}, high: math.MinInt64}
}

func (l *ledger) sent(w store.Write) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes[w.Nonce] = numbered{w, len(l.writes) + 1}
	l.high = max(l.high, w.High)
}

func (l *ledger) answered(w store.Write, applied bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.failed++
	case !applied:
		l.missed++
	default:
		l.applied++
		// The answer to an older write may come behind that to a newer one.
		if was, ok := l.last[w.Worker]; !ok || !l.builtOn(was, w.Nonce) {
			l.last[w.Worker] = w.Nonce
		}
	}
}

// builtOn says whether the write that left a nonce was built on the one that left
// base, or is that.
func (l *ledger) builtOn(nonce, base store.Nonce) bool {
	for todo := []store.Nonce{nonce}; len(todo) > 0; {
		nonce, todo = todo[0], todo[1:]
		if nonce == base {
			return true
		}
		if w := l.writes[nonce]; w.number > l.writes[base].number {
			todo = append(todo, w.Expect...)
		}
	}
	return false
}

// acknowledged is, by worker id, the last write that the store has acknowledged.
func (l *ledger) acknowledged() map[int64]store.Nonce {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.last)
}

// compare notes what a view does not show though it was acknowledged before the
// view was asked for.
func (l *ledger) compare(acknowledged map[int64]store.Nonce, v store.View, asked time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range v.Rows {
		nonce, ok := acknowledged[row.Worker]
		if ok && !l.builtOn(row.Nonce, nonce) {
			l.wrong = append(l.wrong, fmt.Sprintf("worker id %d: asked at %s, shows %v with High %d; acknowledged was %v with %d",
				row.Worker, asked.Format(time.StampMicro), row.Nonce, row.High, nonce, l.writes[nonce].High))
		}
	}
}

func (l *ledger) faults() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.wrong)
}

// highest is the last tick that anybody has asked to be granted.
func (l *ledger) highest() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.high
}

func (l *ledger) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%d writes applied, %d missed, %d not known", l.applied, l.missed, l.failed)
}
