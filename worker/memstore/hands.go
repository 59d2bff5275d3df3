package memstore

import "github.com/ringuid/ringuid/worker/store"

// Drop deletes a namespace and its rows, as dropping its tables would. The record of its
// layout's worker ids stays.
func (s *Store) Drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.namespaces, name)
}

// DropNamespace deletes a namespace but not its rows.
func (s *Store) DropNamespace(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sp, ok := s.namespaces[name]; ok {
		sp.Namespace = store.Namespace{}
	}
}

// DropRow deletes a row.
func (s *Store) DropRow(name string, id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sp, ok := s.namespaces[name]; ok {
		delete(sp.rows, id)
	}
}

// Forget deletes the record of a layout's worker ids.
func (s *Store) Forget(fingerprint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.records, fingerprint)
}

// Edit changes a row as people do by hand: the nonce stays, unless change sets it. A row
// that does not exist is ignored.
func (s *Store) Edit(name string, id int64, change func(*store.Row)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sp, ok := s.namespaces[name]
	if !ok || sp.Name == "" {
		return
	}
	if row, ok := sp.rows[id]; ok {
		change(&row)
		sp.rows[id] = row
	}
}

// EditNamespace changes a namespace as people do by hand. One that does not exist is
// ignored.
func (s *Store) EditNamespace(name string, change func(*store.Namespace)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sp, ok := s.namespaces[name]; ok && sp.Name != "" {
		change(&sp.Namespace)
	}
}
