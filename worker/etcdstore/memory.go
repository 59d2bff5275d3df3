package etcdstore

import (
	"fmt"
	"sync"

	"github.com/ringuid/ringuid/worker"
)

// memory notices a store that went back in time, as when a backup was restored in
// place: nothing in etcd changes its name then, but its revision, which otherwise
// only grows, is lower than it was.
type memory struct {
	mu   sync.Mutex
	seen map[string]mark // of namespaces
}

// mark is how far the store had come.
type mark struct {
	revision int64
	floor    int64
}

// of is the mark that an answer to a question asked from now on must not be
// behind.
func (m *memory) of(namespace string) mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[namespace]
}

// note returns an error that wraps worker.ErrStore when p, asked for after the
// mark was taken, is behind it. A floor that was lifted above the mark's says that
// the operator knows.
func (m *memory) note(namespace string, before mark, p page) error {
	if p.at == 0 {
		return nil // no answer
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[string]mark{}
	}
	switch {
	case p.at >= before.revision:
		if p.at > m.seen[namespace].revision { // an answer may be late
			m.seen[namespace] = mark{p.at, max(p.ns.Floor, before.floor)}
		}
	case p.ns.Floor <= before.floor:
		return fmt.Errorf("%w: its revision is %d and was %d, so an older state was restored: "+
			"quarantine namespace %q behind the highest tick in any copy or log", worker.ErrStore, p.at, before.revision, namespace)
	default:
		m.seen[namespace] = mark{p.at, p.ns.Floor}
	}
	return nil
}
