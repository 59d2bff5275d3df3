// Package memory is worker/memstore with what tests do to a store: its server fails over, loses
// writes, or has another clock, and people edit its rows.
package memory

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/rows"
	"github.com/ringuid/ringuid/worker/store"
)

// Store is a store.Raiser. All methods may be called from any goroutine.
type Store struct {
	mu     sync.Mutex
	rows   rows.Rows
	heads  map[string]store.Head // of layouts, once the server has an incarnation
	now    func() time.Time
	server string
}

// New returns an empty store.
func New() *Store { return NewAt(time.Now) }

// NewAt returns an empty store whose clock is now.
func NewAt(now func() time.Time) *Store {
	return &Store{rows: rows.Rows{}, heads: map[string]store.Head{}, now: now}
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
	k := rows.Key{Layout: layout, Worker: worker}
	if r, there := s.rows[k]; there && change(&r.Row) {
		s.rows[k] = r
	} else {
		delete(s.rows, k)
	}
}

// Replace has the store hold these rows alone.
func (s *Store) Replace(all rows.Rows) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = maps.Clone(all)
}

// DeleteHead deletes the head of a pool, as people do by hand.
func (s *Store) DeleteHead(layout string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.heads, layout)
}

func (s *Store) Check(ctx context.Context) (lossy bool, err error) {
	return false, ctx.Err()
}

func (s *Store) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := store.View{Pool: p, Server: s.server, Now: s.now(), Grain: time.Microsecond,
		Others: map[store.Pool]store.Row{}}
	if s.rows.View(&v, first, last); s.server != "" {
		v.Head = s.heads[p.Layout]
	}
	return v, ctx.Err()
}

func (s *Store) Now(ctx context.Context) (time.Time, error) { return s.now(), ctx.Err() }

func (s *Store) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows.Create(p, workers, nonce)
	return ctx.Err()
}

func (s *Store) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server != "" {
		opened.Slack = 0 // the head has it
	}
	s.rows.Open(p, workers, created, opened)
	return ctx.Err()
}

func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.heads[w.Layout]
	if w.Epoch != h.Epoch || w.Floor != h.Floor || h.Epoch != s.server {
		return false, ctx.Err()
	}
	if s.server != "" {
		w.Slack = 0 // the head has it
	}
	return s.rows.Write(w, s.now()), ctx.Err()
}

func (s *Store) Delete(ctx context.Context, layout string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows.Delete(layout)
	return ctx.Err()
}

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
