// Package memstore keeps worker ids in memory: for tests, and for generators of
// one process that must not share a worker id.
//
// Its class is Fenced among the generators that share the Store, and nothing
// beyond: it ends with the process.
package memstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// Store is a worker.Store. All methods may be called from any goroutine.
type Store struct {
	mu     sync.Mutex
	spaces map[string]*space
	now    func() time.Time
	server string
}

type space struct {
	worker.Namespace
	rows []worker.Row // of worker id First + index
}

// New makes an empty store.
func New() *Store { return NewAt(time.Now) }

// NewAt makes an empty store whose clock is now.
func NewAt(now func() time.Time) *Store {
	return &Store{spaces: map[string]*space{}, now: now}
}

// Restart makes the store another incarnation, as a server that failed over:
// what a test took out of it before may be lost.
func (s *Store) Restart(server string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = server
}

// Snapshot copies all that the store holds, and Rollback makes it hold that
// again, as a server that lost its latest writes.
func (s *Store) Snapshot() *Store { return s.SnapshotAt(s.now) }

// SnapshotAt is a Snapshot with a clock of its own.
func (s *Store) SnapshotAt(now func() time.Time) *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Store{spaces: map[string]*space{}, now: now, server: s.server}
	for name, n := range s.spaces {
		c.spaces[name] = &space{n.Namespace, slices.Clone(n.rows)}
	}
	return c
}

// Rollback is described at Snapshot. The incarnation stays.
func (s *Store) Rollback(to *Store) {
	c := to.Snapshot()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spaces = c.spaces
}

// Drop loses a namespace, as somebody who drops its table.
func (s *Store) Drop(namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.spaces, namespace)
}

// Edit changes a row as people do by hand: without its nonce, unless they say so.
// A row that is not there is left alone.
func (s *Store) Edit(namespace string, id int64, change func(*worker.Row)) {
	sp, unlock, err := s.lock(context.Background(), namespace)
	if err != nil {
		return
	}
	defer unlock()
	if sp.First <= id && id <= sp.Last {
		change(&sp.rows[id-sp.First])
	}
}

// Check returns Fenced.
func (s *Store) Check(ctx context.Context) (worker.Class, error) {
	return worker.Fenced, ctx.Err()
}

// Init is described at worker.Store.
func (s *Store) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if have, ok := s.spaces[n.Name]; ok {
		return n.Same(have.Namespace)
	}
	now := s.now()
	n.Epoch, n.Floor = s.server, worker.InitialFloor(n, o, now)
	sp := &space{Namespace: n}
	for id := n.First; id <= n.Last; id++ {
		var nonce worker.Nonce
		rand.Read(nonce[:])
		sp.rows = append(sp.rows, worker.Row{Worker: id, Nonce: nonce, High: n.Floor - 1, Expires: now, Renewed: now})
	}
	s.spaces[n.Name] = sp
	return nil
}

// View is described at worker.Store.
func (s *Store) View(ctx context.Context, namespace string, first, last int64) (worker.View, error) {
	sp, unlock, err := s.lock(ctx, namespace)
	if err != nil {
		return worker.View{}, err
	}
	defer unlock()
	v := worker.View{Namespace: sp.Namespace, Server: s.server, Now: s.now()}
	from, to := max(first, sp.First), min(last, sp.Last)
	if from <= to {
		v.Rows = slices.Clone(sp.rows[from-sp.First : to-sp.First+1])
	}
	return v, nil
}

// Write is described at worker.Store.
func (s *Store) Write(ctx context.Context, w worker.Write) (bool, error) {
	sp, unlock, err := s.lock(ctx, w.Namespace)
	if err != nil {
		return false, err
	}
	defer unlock()
	if w.Worker < sp.First || w.Worker > sp.Last {
		return false, fmt.Errorf("%w: %q has no row for worker id %d", worker.ErrNoNamespace, w.Namespace, w.Worker)
	}
	row := &sp.rows[w.Worker-sp.First]
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
	return true, nil
}

// Raise is described at worker.Store.
func (s *Store) Raise(ctx context.Context, r worker.Raise) (bool, error) {
	sp, unlock, err := s.lock(ctx, r.Namespace)
	if err != nil {
		return false, err
	}
	defer unlock()
	if sp.Epoch != r.Epoch || sp.Floor != r.Floor || sp.Epoch == s.server {
		return false, nil
	}
	sp.Epoch = s.server
	sp.Floor = max(sp.Floor, sp.TickAt(s.now())+sp.Window+r.Slack)
	return true, nil
}

// Quarantine is described at worker.Store.
func (s *Store) Quarantine(ctx context.Context, namespace string, floor int64) error {
	sp, unlock, err := s.lock(ctx, namespace)
	if err != nil {
		return err
	}
	defer unlock()
	sp.Floor = max(sp.Floor, floor)
	return nil
}

func (s *Store) lock(ctx context.Context, namespace string) (*space, func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	sp, ok := s.spaces[namespace]
	if !ok {
		s.mu.Unlock()
		return nil, nil, fmt.Errorf("%w: %q: make it with Store.Init", worker.ErrNoNamespace, namespace)
	}
	return sp, s.mu.Unlock, nil
}
