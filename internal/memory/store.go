// Package memory is worker/memstore with what tests do to a store: its server fails over, loses
// writes, or has another clock, and people edit its rows.
package memory

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
	rows   map[key]store.Row
	heads  map[string]store.Head // of layouts, once the server has an incarnation
	now    func() time.Time
	server string
}

type key struct {
	store.Pool
	worker int64
}

// New returns an empty store.
func New() *Store { return NewAt(time.Now) }

// NewAt returns an empty store whose clock is now.
func NewAt(now func() time.Time) *Store {
	return &Store{rows: map[key]store.Row{}, heads: map[string]store.Head{}, now: now}
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

// SnapshotAt is like Snapshot, but gives the copy a clock of its own.
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

// Edit changes a row as people do by hand, or deletes it if change returns false.
func (s *Store) Edit(layout string, worker int64, change func(*store.Row) (keep bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, row := range s.rows {
		if k.Layout == layout && k.worker == worker {
			if change(&row) {
				s.rows[k] = row
			} else {
				delete(s.rows, k)
			}
		}
	}
}

// DeleteHead deletes the head of a pool, as people do by hand.
func (s *Store) DeleteHead(layout string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.heads, layout)
}

// Check implements store.Store. The store is not lossy.
func (s *Store) Check(ctx context.Context) (lossy bool, err error) {
	return false, ctx.Err()
}

// View implements store.Store.
func (s *Store) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := store.View{Pool: p, Head: s.heads[p.Layout], Server: s.server, Now: s.now(),
		Grain:  time.Microsecond,
		Others: map[store.Pool]store.Row{}}
	for k, row := range s.rows {
		switch {
		case k.Layout != p.Layout:
			o, there := v.Others[k.Pool]
			if !there || row.Open && (!o.Open || row.High > o.High) {
				v.Others[k.Pool] = row
			}
		case k.Unit != p.Unit:
			return store.View{}, fmt.Errorf("%w: the rows of layout %s are of ticks of %v, and not of %v",
				store.ErrStore, p.Layout, k.Unit, p.Unit)
		case first <= k.worker && k.worker <= last:
			v.Rows = append(v.Rows, row)
		}
		if k.Layout == p.Layout && s.server == "" {
			v.Slack = max(v.Slack, row.Slack)
		}
	}
	slices.SortFunc(v.Rows, func(a, b store.Row) int { return cmp.Compare(a.Worker, b.Worker) })
	return v, ctx.Err()
}

// Now implements store.Store.
func (s *Store) Now(ctx context.Context) (time.Time, error) { return s.now(), ctx.Err() }

// Create implements store.Store.
func (s *Store) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, worker := range workers {
		k := key{p, worker}
		if _, there := s.rows[k]; !there {
			s.rows[k] = store.Row{Worker: worker, Nonce: nonce}
		}
	}
	return ctx.Err()
}

// Open implements store.Store.
func (s *Store) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, worker := range workers {
		k := key{p, worker}
		if row, there := s.rows[k]; there && !row.Open && row.Nonce == created {
			if opened.Worker = worker; s.server != "" {
				opened.Slack = 0 // the head has it
			}
			s.rows[k] = opened
		}
	}
	return ctx.Err()
}

// Write implements store.Store.
func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, h := key{w.Pool, w.Worker}, s.heads[w.Layout]
	if w.Epoch != h.Epoch || w.Floor != h.Floor || h.Epoch != s.server {
		return false, ctx.Err()
	}
	if s.server != "" {
		w.Slack = 0 // the head has it
	}
	row, applied := w.Apply(s.rows[k], s.now()) // a row that does not exist is not open
	if applied {
		s.rows[k] = row
	}
	return applied, ctx.Err()
}

// Delete implements store.Store.
func (s *Store) Delete(ctx context.Context, layout string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.rows, func(k key, _ store.Row) bool {
		return layout == "" || k.Layout == layout
	})
	return ctx.Err()
}

// Raise implements store.Raiser.
func (s *Store) Raise(ctx context.Context, p store.Pool, was store.Head, ahead int64,
	slack time.Duration) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.heads[p.Layout] != was || s.server == "" {
		return false, ctx.Err()
	}
	floor := max(was.Floor, p.TickAt(s.now())+ahead)
	s.heads[p.Layout] = store.Head{Epoch: s.server, Floor: floor, Slack: slack}
	return true, ctx.Err()
}

// Forget implements store.Raiser.
func (s *Store) Forget(ctx context.Context) (forgot bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() == nil {
		forgot = len(s.heads) > 0
		clear(s.heads)
	}
	return forgot, ctx.Err()
}

var _ store.Raiser = (*Store)(nil)
