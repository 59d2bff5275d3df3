package k8sstore

import (
	"sync"

	"github.com/ringuid/ringuid/worker/store"
)

// memory is what this store's last write left in each row that it wrote, and what the last
// view has shown. A write is built on that, and compared with the row by the server: one
// that somebody else has changed since makes it miss. A view of a row that the store wrote
// is answered from memory, once, and the next one asks if no write was applied in between.
// So a holder that nobody disturbs needs one request for a sign of life.
//
// All methods may be called from any goroutine.
type memory struct {
	mu   sync.Mutex
	rows map[place]*memo
	ns   map[string]store.Namespace // by name, as the last view has shown it
	seen map[place]row              // rows of that view; until one is written
}

// place is a row's.
type place struct {
	namespace string
	id        int64
}

type memo struct {
	row    row
	known  bool // row is what the last write left
	unread bool // and no view has shown it since
	open   bool // what became of the last write is to be seen
	writes int  // begun
}

// noted is a namespace, and rows of it, as a view has shown them.
func (m *memory) noted(n store.Namespace, rows []row) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ns == nil {
		m.ns, m.rows = map[string]store.Namespace{}, map[place]*memo{}
	}
	m.ns[n.Name] = n
	m.seen = make(map[place]row, len(rows))
	for _, r := range rows {
		m.seen[place{n.Name, r.Worker}] = r
	}
}

// show is the row for a view, or false when that has to be asked for.
func (m *memory) show(at place) (store.Namespace, store.Row, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, is := m.ns[at.namespace], m.rows[at]
	if is == nil || !is.known || !is.unread || is.row.terms != termsOf(n) {
		return n, store.Row{}, false
	}
	is.unread = false
	return n, is.row.Row, true
}

// recall is the row as it was when it had this nonce, if the store's last write left it, or
// the last view has shown it.
func (m *memory) recall(at place, nonce store.Nonce) (row, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if is := m.rows[at]; is != nil && is.known && is.row.Nonce == nonce {
		return is.row, true
	}
	r, there := m.seen[at]
	return r, there && r.Nonce == nonce
}

// settles is true for a view that is to show what became of the store's last write of this
// row: the first one after it, unless it is known.
func (m *memory) settles(at place) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	is := m.rows[at]
	if is == nil || !is.open {
		return false
	}
	is.open = false
	return true
}

// begin forgets the row, since it is about to be written, and counts the write.
func (m *memory) begin(at place) (write int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rows == nil {
		return 0
	}
	is := m.rows[at]
	if is == nil {
		is = new(memo)
		m.rows[at] = is
	}
	is.known, is.open = false, true
	is.writes++
	m.seen = nil
	return is.writes
}

// end notes what a write has left, unless another one was begun since.
func (m *memory) end(at place, write int, left row) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if is := m.rows[at]; is != nil && is.writes == write {
		is.row, is.known, is.unread, is.open = left, left.Held, left.Held, false
	}
}

// forget what a view has shown of a namespace.
func (m *memory) forget(namespace string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.ns, namespace)
	m.seen = nil
}
