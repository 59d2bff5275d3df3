// Package rewind notices a store that went back in time, as when a backup was restored
// in place: nothing in it changes its name then, but something that it counts, and
// that otherwise only grows, is lower than it was.
package rewind

import (
	"fmt"
	"sync"

	"github.com/ringuid/ringuid/worker/store"
)

// Memory of how far a store had come. The zero value knows nothing. All methods may be
// called from any goroutine.
type Memory struct {
	mu   sync.Mutex
	seen map[string]Mark // of namespaces
}

// Mark is how far the store had come.
type Mark struct {
	Count int64
	Floor int64 // of the namespace
}

// Of is the mark that an answer to a question asked from now on must not be
// behind.
func (m *Memory) Of(namespace string) Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[namespace]
}

// Note returns an error that wraps store.ErrRolledBack when is, asked for after the
// mark before was taken, is behind it. A floor that was raised above the mark's says
// that somebody knows.
func (m *Memory) Note(namespace string, before, is Mark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[string]Mark{}
	}
	switch {
	case is.Count >= before.Count:
		if is.Count > m.seen[namespace].Count { // an answer may be late
			m.seen[namespace] = Mark{is.Count, max(is.Floor, before.Floor)}
		}
	case is.Floor <= before.Floor:
		return fmt.Errorf("%w: it counts %d changes and had counted %d, so an older state was restored: "+
			"quarantine namespace %q behind the highest tick in any copy or log", store.ErrRolledBack, is.Count, before.Count, namespace)
	default:
		m.seen[namespace] = is
	}
	return nil
}
