package storetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// remover is the store, if it can remove a namespace: those of this project can.
func (f *fixture) remover() store.Remover {
	r, ok := f.store.(store.Remover)
	if !ok {
		f.t.Skip("the store is no store.Remover")
	}
	return r
}

// testRemove: nobody loses a worker id without its being said; a write that is late is
// not applied, also when there is such a row again; and the next holder begins behind.
func testRemove(f *fixture) {
	s, ctx := f.remover(), f.t.Context()
	granted := f.grantAll()
	f.hold(first + 1)
	require.ErrorIs(f.t, s.Remove(ctx, f.ns.Name, store.RemoveOptions{}), store.ErrHeld)
	f.view()
	late := []store.Write{f.prepare(first, acquire), f.prepare(first+1, extend),
		f.prepare(first+1, release)}

	require.NoError(f.t, s.Remove(ctx, f.ns.Name, store.RemoveOptions{Held: true}))
	_, err := s.View(ctx, f.ns.Name, first, last)
	require.ErrorIs(f.t, err, store.ErrNoNamespace)
	require.ErrorIs(f.t, s.Remove(ctx, f.ns.Name, store.RemoveOptions{}), store.ErrNoNamespace)
	for _, w := range late {
		applied, err := s.Write(ctx, w)
		assert.False(f.t, applied, "a late write is applied to nothing")
		if err != nil {
			require.ErrorIs(f.t, err, store.ErrNoNamespace)
		}
	}

	f.ns.Window = 2
	f.init(f.ns)
	f.behind(granted)
	for _, w := range late {
		f.missed(w)
	}
}

// testRemoveRemembers: what was closed off stays so, whoever gets the worker ids.
func testRemoveRemembers(f *fixture) {
	s, ctx := f.remover(), f.t.Context()
	v := f.view()
	floor := v.TickAt(v.Now) + 1_000_000
	require.NoError(f.t, s.Quarantine(ctx, f.ns.Name, floor))
	require.NoError(f.t, s.Remove(ctx, f.ns.Name, store.RemoveOptions{}))
	for _, name := range []string{f.ns.Name, f.ns.Name + "-2"} {
		f.ns.Name = name
		f.init(f.ns)
		f.behind(floor - 1)
		require.NoError(f.t, s.Remove(ctx, name, store.RemoveOptions{}))
	}
}

// testRemoveForOtherTicks: a High that was counted in one unit is not taken for one in another,
// neither by a namespace that is made in the place of the one that was removed, nor by the
// record that outlives it; and the first layout still begins behind what it was granted.
func testRemoveForOtherTicks(f *fixture) {
	s, ctx, was := f.remover(), f.t.Context(), f.ns
	granted := f.grantAll()
	remove := func() {
		f.t.Helper()
		require.NoError(f.t,
			s.Remove(ctx, f.ns.Name, store.RemoveOptions{}))
	}
	f.soon()
	remove()
	for _, unit := range []time.Duration{time.Millisecond, time.Minute} {
		f.ns = namespace(unit, 5)
		f.ns.Name = was.Name
		f.init(f.ns)
		f.soon()
		remove()
		f.ns.Name += "-2"
		f.init(f.ns)
		f.soon()
		remove()
		f.ns = was
		f.init(f.ns)
		f.behind(granted)
		f.soon()
		remove()
	}
}

// span is what somebody was granted.
type span struct{ worker, lo, hi int64 }

// testRemoveBeside: a namespace is removed and made again, over and over, while others
// take its worker ids. No tick of a worker id is granted twice.
func testRemoveBeside(f *fixture) {
	const takers, rounds = 3, 5
	s := f.remover()
	f.ns = namespace(10*time.Millisecond, 3)
	f.init(f.ns)
	ctx, stop := context.WithCancel(f.t.Context())
	defer stop()
	var (
		all   sync.WaitGroup
		mu    sync.Mutex
		spans []span
	)
	count := func() int { mu.Lock(); defer mu.Unlock(); return len(spans) }
	for range takers {
		all.Go(func() {
			for ctx.Err() == nil {
				got, err := takeAny(ctx, s, f.ns.Name)
				if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrNoNamespace) {
					assert.NoError(f.t, err)
					return
				}
				mu.Lock()
				spans = append(spans, got...)
				mu.Unlock()
			}
		})
	}
	for range rounds {
		had := count()
		until(f.t, "somebody is granted something", func() bool { return count() > had })
		require.NoError(f.t, s.Remove(f.t.Context(), f.ns.Name, store.RemoveOptions{Held: true}))
		f.init(f.ns)
	}
	stop()
	all.Wait()
	slices.SortFunc(spans, func(a, b span) int { return cmpSpans(a, b) })
	for i, is := range spans[1:] {
		before := spans[i]
		require.False(f.t, is.worker == before.worker && is.lo <= before.hi, "%+v and %+v", before, is)
	}
}

func cmpSpans(a, b span) int {
	if a.worker != b.worker {
		return int(a.worker - b.worker)
	}
	return int(a.lo - b.lo)
}

// takeAny acquires the rows that are free, as a lease does.
func takeAny(ctx context.Context, s store.Store, name string) (got []span, err error) {
	v, err := s.View(ctx, name, first, last)
	if err != nil {
		return nil, err
	}
	for _, row := range v.Rows {
		lo, hi := v.Next(row), v.MaxHigh()
		if lo > hi || v.Live(row) {
			continue
		}
		applied, err := s.Write(ctx, store.Write{
			Namespace: v.Name, Fingerprint: v.Fingerprint, Epoch: v.Epoch, Floor: v.Floor,
			Worker: row.Worker, Expect: []store.Nonce{row.Nonce}, Nonce: nonce(), High: hi, Acquire: true,
			Now: v.Now,
		})
		if err != nil {
			return got, err
		}
		if applied {
			got = append(got, span{row.Worker, lo, hi})
		}
	}
	return got, nil
}
