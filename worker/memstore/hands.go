package memstore

import "github.com/ringuid/ringuid/worker/store"

// Drop loses a namespace and its rows, as somebody who drops its table. The record
// of its layout's worker ids is left.
func (s *Store) Drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.namespaces, name)
}

// DropNamespace loses a namespace and leaves its rows.
func (s *Store) DropNamespace(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sp, ok := s.namespaces[name]; ok {
		sp.Namespace = store.Namespace{}
	}
}

// DropRow loses a row.
func (s *Store) DropRow(name string, id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sp, ok := s.namespaces[name]; ok {
		delete(sp.rows, id)
	}
}

// Forget loses the record of a layout's worker ids.
func (s *Store) Forget(fingerprint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.records, fingerprint)
}

// Edit changes a row as people do by hand: without its nonce, unless they say so.
// A row that is not there is left alone.
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

// EditNamespace changes a namespace as people do by hand. One that is not there is
// left alone.
func (s *Store) EditNamespace(name string, change func(*store.Namespace)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sp, ok := s.namespaces[name]; ok && sp.Name != "" {
		change(&sp.Namespace)
	}
}
