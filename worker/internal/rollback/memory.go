// Package rollback notices a store that went back in time, for example because a backup was
// restored in place: a counter in it that otherwise only increases is lower than it was.
package rollback

import (
	"fmt"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// Memory remembers how far a store had come. The zero value knows nothing. All methods
// may be called from any goroutine.
type Memory struct {
	mu   sync.Mutex
	seen map[string]Mark // of namespaces
}

// Mark is how far the store had come.
type Mark struct {
	Count int64
	Floor time.Time // of the namespace, which is not a tick, since one made anew may have others
}

// At is the mark of a store that has counted so many changes, and shows this namespace, or
// the zero Namespace because there is none.
func At(count int64, n store.Namespace) Mark {
	m := Mark{Count: count}
	if n.Unit > 0 {
		m.Floor = n.Start(n.Floor)
	}
	return m
}

// Raise returns the floor of a namespace, or the mark's if that is higher.
func (m Mark) Raise(n store.Namespace) int64 {
	if n.Unit == 0 {
		return n.Floor
	}
	return max(n.Floor, n.TickAt(m.Floor))
}

// Of returns the mark that no later answer may be lower than.
func (m *Memory) Of(namespace string) Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[namespace]
}

// Note returns an error that wraps store.ErrRolledBack when the mark is, read after
// before was, is lower. A floor above that of before means that the rollback has been
// dealt with.
func (m *Memory) Note(namespace string, before, is Mark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[string]Mark{}
	}
	switch {
	case is.Count >= before.Count:
		if is.Count > m.seen[namespace].Count { // an answer may be late
			if before.Floor.After(is.Floor) {
				is.Floor = before.Floor
			}
			m.seen[namespace] = is
		}
	case !is.Floor.After(before.Floor):
		return fmt.Errorf("%w: it has counted %d changes, and had counted %d before, so an older "+
			"state was restored: "+
			"quarantine namespace %q above the highest tick in any copy or log", store.ErrRolledBack,
			is.Count, before.Count, namespace)
	default:
		m.seen[namespace] = is
	}
	return nil
}
