package memstore

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/store"
)

// Init is described at store.Store.
func (s *Store) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
	return store.Init(ctx, s.Catalog(), n, o)
}

// Catalog is what Init creates namespaces with, for tests that do something between its
// steps.
func (s *Store) Catalog() store.Catalog { return catalog{s} }

// catalog is the store.Catalog of a Store.
type catalog struct{ *Store }

func (c catalog) Clock(ctx context.Context) (time.Time, bool, error) {
	return c.now(), true,
		ctx.Err()
}

func (c catalog) Namespace(ctx context.Context, name string) (store.Namespace, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sp, ok := c.namespaces[name]
	if !ok || sp.Name == "" {
		return store.Namespace{}, ctx.Err()
	}
	return sp.Namespace, sp.unedited()
}

func (c catalog) Namespaces(ctx context.Context) (all []store.Namespace, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, sp := range c.namespaces {
		if sp.Name != "" {
			all = append(all, sp.Namespace)
		}
	}
	return all, ctx.Err()
}

func (c catalog) Space(ctx context.Context, fingerprint string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.records[fingerprint], ctx.Err()
}

func (c catalog) ReplaceSpace(_ context.Context, fingerprint, old, text string) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.records[fingerprint] != old {
		return false, nil
	}
	c.records[fingerprint] = text
	return true, nil
}

func (catalog) HighestKey(context.Context) (int64, error) { return 0, nil }

func (c catalog) Make(_ context.Context, n, have store.Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	sp, ok := c.namespaces[n.Name]
	if !ok {
		sp = &namespace{rows: map[int64]store.Row{}}
	}
	if sp.Namespace != have || c.records[n.Fingerprint] != space {
		return false, nil
	}
	counted, err := namespaces.Counted(space)
	if err != nil {
		return false, err
	}
	begin := floor(now)
	if sp.Name == "" {
		for id, row := range sp.rows { // left from before
			row.High = namespaces.Recount(row.High, sp.made.Unit, n)
			sp.rows[id] = row
			begin = max(begin, row.High+1)
		}
		n.Epoch, n.Floor = c.server, begin
	} else {
		begin = max(begin, have.Floor)
		n.Epoch, n.Floor = have.Epoch, have.Floor
	}
	for id := n.First; id <= n.Last; id++ {
		if _, there := sp.rows[id]; !there {
			row := store.Row{Worker: id, High: begin - 1, Expires: now, Renewed: now}
			rand.Read(row.Nonce[:])
			sp.rows[id] = row
		}
	}
	sp.Namespace, sp.made = n, n
	c.namespaces[n.Name], c.records[n.Fingerprint] = sp, counted
	return true, nil
}

// Remove is described at store.Remover.
func (s *Store) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	return store.Remove(ctx, s, catalog{s}, namespace, o)
}

func (c catalog) Delete(ctx context.Context, have store.Namespace) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sp, ok := c.namespaces[have.Name]
	if !ok || sp.Namespace != have {
		return false, ctx.Err()
	}
	delete(c.namespaces, have.Name)
	return true, nil
}
