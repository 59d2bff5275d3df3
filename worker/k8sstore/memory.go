package k8sstore

import (
	"sync"

	"github.com/ringuid/ringuid/worker/store"
)

// memory is what this store's last write left in each row that it wrote. A view of such
// a row is answered from it, once: whatever builds on it is compared with the row when
// it is written, so a row that somebody else has changed since makes it miss, and the
// next view asks. A holder that nobody disturbs so needs one request for a sign of life.
//
// All methods may be called from any goroutine.
type memory struct {
	mu   sync.Mutex
	rows map[place]*memo
	ns   map[string]store.Namespace // by name, as the last view has shown it
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
	shows  int  // by views since one asked
	writes int  // begun
}

// noted is a namespace as a view has shown it.
func (m *memory) noted(n store.Namespace) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ns == nil {
		m.ns, m.rows = map[string]store.Namespace{}, map[place]*memo{}
	}
	m.ns[n.Name] = n
}

// mostShows is how many views of a row in succession are answered from memory. A write
// compares nothing with the book, so without the next one a holder would never notice that
// its namespace was deleted.
const mostShows = 15

// show is the row for a view, or false when that has to be asked for.
func (m *memory) show(at place) (store.Namespace, store.Row, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, is := m.ns[at.namespace], m.rows[at]
	if is == nil || !is.known || !is.unread || is.row.terms != termsOf(n) {
		return n, store.Row{}, false
	}
	is.unread = false
	if is.shows == mostShows {
		is.shows = 0
		return n, store.Row{}, false
	}
	is.shows++
	return n, is.row.Row, true
}

// wrote is the row that has this nonce, if the store's last write left it.
func (m *memory) wrote(at place, nonce store.Nonce) (row, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	is := m.rows[at]
	if is == nil || !is.known || is.row.Nonce != nonce {
		return row{}, false
	}
	return is.row, true
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
	is.known = false
	is.writes++
	return is.writes
}

// end notes what a write has left, unless another one was begun since.
func (m *memory) end(at place, write int, left row) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if is := m.rows[at]; is != nil && is.writes == write {
		is.row, is.known, is.unread = left, left.Held, left.Held
	}
}

// forget all rows of a namespace.
func (m *memory) forget(namespace string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.ns, namespace)
}
