// Package memstore keeps worker ids in memory: for tests, and for generators of
// one process that must not share a worker id.
//
// Its class is Fenced among the generators that share the Store, but not beyond the
// process.
package memstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// Store is a store.Store. All methods may be called from any goroutine.
type Store struct {
	mu         sync.Mutex
	namespaces map[string]*namespace
	records    map[string]string // store.Space by the layout's fingerprint
	now        func() time.Time
	server     string
}

type namespace struct {
	store.Namespace                 // its Name is empty when it was deleted and rows were left
	made            store.Namespace // what Init made of it: what is sealed
	rows            map[int64]store.Row
}

// unedited is CheckSeal, without a hash as long as nobody edited anything: simulations
// read millions of namespaces.
func (n *namespace) unedited() error {
	made := n.made
	made.Epoch, made.Floor = n.Epoch, n.Floor
	if made == n.Namespace {
		return nil
	}
	return n.CheckSeal(n.made.Seal())
}

// New returns an empty store.
func New() *Store { return NewAt(time.Now) }

// NewAt returns an empty store whose clock is now.
func NewAt(now func() time.Time) *Store {
	return &Store{namespaces: map[string]*namespace{}, records: map[string]string{}, now: now}
}

// Restart gives the store a new incarnation, as a fail-over does.
func (s *Store) Restart(server string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = server
}

// Snapshot copies everything that the store holds. Rollback restores it, as in a server
// that lost its latest writes.
func (s *Store) Snapshot() *Store { return s.SnapshotAt(s.now) }

// SnapshotAt is Snapshot, with a clock of its own for the copy.
func (s *Store) SnapshotAt(now func() time.Time) *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := NewAt(now)
	c.server, c.records = s.server, maps.Clone(s.records)
	for name, n := range s.namespaces {
		c.namespaces[name] = &namespace{n.Namespace, n.made, maps.Clone(n.rows)}
	}
	return c
}

// Rollback restores a Snapshot. The incarnation stays.
func (s *Store) Rollback(to *Store) {
	c := to.Snapshot()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.namespaces, s.records = c.namespaces, c.records
}

// Check returns Fenced.
func (s *Store) Check(ctx context.Context) (store.Class, error) {
	return store.Fenced, ctx.Err()
}

// View is described at store.Store.
func (s *Store) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	sp, unlock, err := s.lock(ctx, namespace)
	if err != nil {
		return store.View{}, err
	}
	defer unlock()
	v := store.View{Namespace: sp.Namespace, Server: s.server, Now: s.now()}
	for id := max(first, sp.First); id <= min(last, sp.Last); id++ {
		if row, there := sp.rows[id]; there {
			v.Rows = append(v.Rows, row)
		}
	}
	return v, sp.unedited()
}

// Write is described at store.Store.
func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	sp, unlock, err := s.lock(ctx, w.Namespace)
	if err != nil {
		return false, err
	}
	defer unlock()
	row, there := sp.rows[w.Worker]
	if !there || w.Worker < sp.First || w.Worker > sp.Last {
		return false, fmt.Errorf("%w: %q has no row for worker id %d", store.ErrNoNamespace, w.Namespace,
			w.Worker)
	}
	now := s.now()
	switch {
	case !slices.Contains(w.Expect, row.Nonce),
		w.Acquire && row.Held && row.Expires.After(now),
		w.Fingerprint != sp.Fingerprint,
		w.Epoch != sp.Epoch || w.Floor != sp.Floor || sp.Epoch != s.server,
		!w.Release && w.High > sp.TickAt(now)+sp.Window:
		return false, nil
	}
	row.Nonce, row.Held, row.Renewed, row.Owner = w.Nonce, !w.Release, now, w.Owner
	if w.Release {
		row.High, row.Expires = w.High, now
	} else {
		row.High, row.Expires = max(row.High, w.High), now.Add(w.TTL)
	}
	sp.rows[w.Worker] = row
	return true, nil
}

// Raise is described at store.Store.
func (s *Store) Raise(ctx context.Context, r store.Raise) (bool, error) {
	sp, unlock, err := s.lock(ctx, r.Namespace)
	if err != nil {
		return false, err
	}
	defer unlock()
	if sp.Epoch != r.Epoch || sp.Floor != r.Floor || sp.Epoch == s.server {
		return false, nil
	}
	sp.Epoch = s.server
	sp.Floor = max(sp.Floor, sp.TickAt(s.now())+sp.Window+r.Margin)
	return true, nil
}

// Quarantine is described at store.Store.
func (s *Store) Quarantine(ctx context.Context, namespace string, floor int64) error {
	sp, unlock, err := s.lock(ctx, namespace)
	if err != nil {
		return err
	}
	defer unlock()
	sp.Floor = max(sp.Floor, floor)
	return nil
}

func (s *Store) lock(ctx context.Context, name string) (*namespace, func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	sp, ok := s.namespaces[name]
	if !ok || sp.Name == "" {
		s.mu.Unlock()
		return nil, nil, fmt.Errorf("%w: %q: create it with Store.Init", store.ErrNoNamespace, name)
	}
	return sp, s.mu.Unlock, nil
}
