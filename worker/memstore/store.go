// Package memstore keeps worker ids in memory: for tests, and for generators of
// one process that must not share a worker id.
//
// Its class is Fenced among the generators that share the Store, but not beyond the
// process.
package memstore

import (
	"cmp"
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
	mu     sync.Mutex
	rows   map[key]row
	heads  map[string]head // of layouts, once the server has an incarnation
	now    func() time.Time
	server string
}

type key struct {
	layout string
	worker int64
}

// row is of ticks of one unit.
type row struct {
	store.Row
	unit time.Duration
}

type head struct {
	epoch string
	floor int64
}

// New returns an empty store.
func New() *Store { return NewAt(time.Now) }

// NewAt returns an empty store whose clock is now.
func NewAt(now func() time.Time) *Store {
	return &Store{rows: map[key]row{}, heads: map[string]head{}, now: now}
}

// Restart gives the store a new incarnation, as a fail-over does. From then on its pools
// have heads.
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
	return &Store{rows: maps.Clone(s.rows), heads: maps.Clone(s.heads), now: now, server: s.server}
}

// Rollback restores a Snapshot. The incarnation stays.
func (s *Store) Rollback(to *Store) {
	c := to.Snapshot()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows, s.heads = c.rows, c.heads
}

// Edit changes a row as people do by hand, or deletes it when change returns false.
func (s *Store) Edit(layout string, worker int64, change func(*store.Row) (keep bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := key{layout, worker}
	if r, there := s.rows[k]; there {
		if change(&r.Row) {
			s.rows[k] = r
		} else {
			delete(s.rows, k)
		}
	}
}

// DeleteHead deletes the head of a pool, as people do by hand.
func (s *Store) DeleteHead(layout string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.heads, layout)
}

// Check returns Fenced.
func (s *Store) Check(ctx context.Context) (store.Class, error) {
	return store.Fenced, ctx.Err()
}

// View is described at store.Store.
func (s *Store) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.heads[p.Layout]
	v := store.View{Pool: p, Epoch: h.epoch, Floor: h.floor, Server: s.server, Now: s.now()}
	others := map[string]store.Other{}
	for k, r := range s.rows {
		switch {
		case k.layout != p.Layout:
			o := others[k.layout]
			if o.Rows++; o.Rows == 1 || r.Open && (!o.Open || r.High > o.High) {
				o.Pool, o.Row = store.Pool{Layout: k.layout, Unit: r.unit}, r.Row
			}
			others[k.layout] = o
		case r.unit != p.Unit:
			return store.View{}, r.misfits(p)
		case first <= k.worker && k.worker <= last:
			v.Rows = append(v.Rows, r.Row)
		}
	}
	slices.SortFunc(v.Rows, func(a, b store.Row) int { return cmp.Compare(a.Worker, b.Worker) })
	for _, layout := range slices.Sorted(maps.Keys(others)) {
		v.Others = append(v.Others, others[layout])
	}
	return v, ctx.Err()
}

func (r row) misfits(p store.Pool) error {
	return fmt.Errorf("%w: the rows of layout %s are of ticks of %v, and not of %v", store.ErrStore,
		p.Layout, r.unit, p.Unit)
}

// Now is described at store.Store.
func (s *Store) Now(ctx context.Context) (time.Time, error) { return s.now(), ctx.Err() }

// Create is described at store.Store.
func (s *Store) Create(ctx context.Context, c store.Creation) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, worker := range c.Workers {
		k := key{c.Layout, worker}
		if _, there := s.rows[k]; !there {
			s.rows[k] = row{store.Row{Worker: worker, Nonce: c.Nonce}, c.Unit}
		}
	}
	return ctx.Err()
}

// Open is described at store.Store.
func (s *Store) Open(ctx context.Context, o store.Opening) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, worker := range o.Workers {
		k := key{o.Layout, worker}
		if r, there := s.rows[k]; there {
			r.Row, _ = o.Apply(r.Row)
			s.rows[k] = r
		}
	}
	return ctx.Err()
}

// Write is described at store.Store.
func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, h := key{w.Layout, w.Worker}, s.heads[w.Layout]
	r, there := s.rows[k]
	switch {
	case !there, w.Epoch != h.epoch, w.Floor != h.floor, h.epoch != s.server:
		return false, ctx.Err()
	case r.unit != w.Unit:
		return false, r.misfits(w.Pool)
	}
	var applied bool
	if r.Row, applied = w.Apply(r.Row, s.now()); applied {
		s.rows[k] = r
	}
	return applied, ctx.Err()
}

// Delete is described at store.Store.
func (s *Store) Delete(ctx context.Context, layout string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.rows, func(k key, _ row) bool { return layout == "" || k.layout == layout })
	return ctx.Err()
}

// Raise is described at store.Raiser.
func (s *Store) Raise(ctx context.Context, r store.Raise) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.heads[r.Layout]
	if h.epoch != r.Epoch || h.floor != r.Floor || h.epoch == s.server {
		return false, ctx.Err()
	}
	s.heads[r.Layout] = head{s.server, max(h.floor, r.Opening(s.now(), r.Slack)+1)}
	return true, ctx.Err()
}

var _ store.Raiser = (*Store)(nil)
