package fleet

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

const (
	// TTL is when a worker id that is silent may be taken over.
	TTL = 700 * time.Millisecond

	window  = 1500 * time.Millisecond // how far ahead worker ids are granted; longer than TTL
	timeout = TTL / 2                 // of a call to the store
)

// Layout has ticks so small that few ids use a window up.
var Layout = uid.Layout{Epoch: uid.DefaultLayout.Epoch, Unit: 10 * time.Millisecond, TimeBits: 40, WorkerBits: 19, SeqBits: 4}

// Fleet is generators that share worker ids. Its methods are for the test's
// goroutine.
type Fleet struct {
	t       *testing.T
	ledger  *ledger
	members []*Member
}

// Start makes a namespace with as many worker ids as there are stores, which are
// different ways to the same servers, and a generator on each.
func Start(t *testing.T, stores ...store.Store) *Fleet {
	t.Helper()
	ns, err := worker.NewNamespace("fleet", Layout.Need(), 0, int64(len(stores))-1, window)
	require.NoError(t, err)
	require.NoError(t, stores[0].Init(t.Context(), ns, store.InitOptions{Fresh: true}))
	f := &Fleet{t: t, ledger: newLedger()}
	for _, s := range stores {
		f.Join(s)
	}
	return f
}

// Join adds a generator, which waits for a worker id as long as all are held.
func (f *Fleet) Join(s store.Store) *Member {
	f.t.Helper()
	m := &Member{store: &witness{Store: s, ledger: f.ledger}}
	claim := worker.Claim{Namespace: "fleet", TTL: TTL, Timeout: timeout, Logger: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	for m.gen == nil {
		g, err := uid.NewCached(ctx, worker.Leased(m.store, claim), uid.Config{Layout: Layout, Logger: claim.Logger})
		if err == nil {
			m.gen = g
			break
		}
		select { // the row of one who is silent is free some time, and a fail-over over
		case <-time.After(timeout / 10):
		case <-ctx.Done():
			require.NoError(f.t, err, "there is no worker id")
		}
	}
	f.t.Cleanup(m.Leave)
	m.take(goroutines)
	f.members = append(f.members, m)
	return m
}

const (
	goroutines = 2           // that take ids from each generator
	patience   = time.Minute // with servers that come back
)

// Recovers waits until each generator hands out ids that nobody can have been
// granted before now. Those who left or are cut off need not.
func (f *Fleet) Recovers(after string) {
	f.t.Helper()
	begin, high := time.Now(), f.ledger.highest()
	for i, m := range f.members {
		require.Eventually(f.t, func() bool { return m.left || m.store.silent.Load() || m.newest() > high },
			patience, 2*time.Millisecond, "generator %d goes on: %s", i, after)
	}
	f.t.Logf("%s: all went on after %v", after, time.Since(begin).Round(time.Millisecond))
	f.mustBeSound(after)
}

// Finish ends all generators and compares all their ids.
func (f *Fleet) Finish() {
	f.t.Helper()
	ids, twice := f.end()
	f.t.Logf("%d ids, %s", ids, f.ledger)
	require.NotZero(f.t, ids)
	assert.Empty(f.t, twice, "ids that came twice")
	f.mustBeSound("at the end")
}

// end ends all generators. It returns how many ids they gave, and those that came
// twice.
func (f *Fleet) end() (n int, twice []uid.ID) {
	f.t.Helper()
	var ids []uid.ID
	for _, m := range f.members {
		m.Leave()
		for i, taken := range m.ids {
			for j := 1; j < len(taken); j++ {
				require.Less(f.t, taken[j-1], taken[j], "what goroutine %d got, in its order", i)
			}
			ids = append(ids, taken...)
		}
	}
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			twice = append(twice, ids[i])
		}
	}
	return len(ids), twice
}

// View reads the namespace through a store, and checks what it shows.
func (f *Fleet) View(s store.Store) (store.View, error) {
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	return (&witness{Store: s, ledger: f.ledger}).View(ctx, "fleet", 0, Layout.MaxWorker())
}

func (f *Fleet) mustBeSound(when string) {
	f.t.Helper()
	require.Empty(f.t, f.ledger.faults(), "acknowledged and not shown, %s", when)
}
