package memstore

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// Init is described at worker.Store.
func (s *Store) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	return worker.Found(ctx, s.Ground(), n, o)
}

// Ground is what Init makes namespaces with, for tests that let something happen in
// between.
func (s *Store) Ground() worker.Ground { return ground{s} }

// ground is the worker.Ground of a Store.
type ground struct{ *Store }

func (g ground) Clock(ctx context.Context) (time.Time, bool, error) { return g.now(), true, ctx.Err() }

func (g ground) Namespace(ctx context.Context, name string) (worker.Namespace, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	sp, ok := g.namespaces[name]
	if !ok || sp.Name == "" {
		return worker.Namespace{}, ctx.Err()
	}
	return sp.Namespace, sp.CheckSeal(sp.seal)
}

func (g ground) Namespaces(ctx context.Context) (all []worker.Namespace, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, sp := range g.namespaces {
		if sp.Name != "" {
			all = append(all, sp.Namespace)
		}
	}
	return all, ctx.Err()
}

func (g ground) Space(ctx context.Context, fingerprint string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.records[fingerprint], ctx.Err()
}

func (g ground) SwapSpace(_ context.Context, fingerprint, old, text string) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.records[fingerprint] != old {
		return false, nil
	}
	g.records[fingerprint] = text
	return true, nil
}

func (ground) HighestKey(context.Context) (int64, error) { return 0, nil }

func (g ground) Make(_ context.Context, n, have worker.Namespace, space string, floor func(time.Time) int64) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	sp, ok := g.namespaces[n.Name]
	if !ok {
		sp = &namespace{rows: map[int64]worker.Row{}}
	}
	if sp.Namespace != have || g.records[n.Fingerprint] != space {
		return false, nil
	}
	begin := floor(now)
	if sp.Name == "" {
		for _, row := range sp.rows {
			begin = max(begin, row.High+1)
		}
		n.Epoch, n.Floor = g.server, begin
	} else {
		begin = max(begin, have.Floor)
		n.Epoch, n.Floor = have.Epoch, have.Floor
	}
	for id := n.First; id <= n.Last; id++ {
		if _, there := sp.rows[id]; !there {
			row := worker.Row{Worker: id, High: begin - 1, Expires: now, Renewed: now}
			rand.Read(row.Nonce[:])
			sp.rows[id] = row
		}
	}
	sp.Namespace, sp.seal = n, n.Seal()
	g.namespaces[n.Name] = sp
	return true, nil
}
