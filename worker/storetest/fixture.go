package storetest

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// fixture is a store with a pool of one test's own: worker ids 5 to 9, all open and free.
type fixture struct {
	settings
	t     *testing.T
	store store.Store
	pool  store.Pool
}

const first, last = 5, 9

// unit is of ticks of which a window has thirty, and a test sees few.
const unit = 2 * time.Second

func newFixture(t *testing.T, s store.Store, c settings) *fixture {
	f := &fixture{settings: c, t: t, store: s}
	f.begin(unit)
	return f
}

// begin deletes all rows of the place, and opens those of a new layout.
func (f *fixture) begin(unit time.Duration) {
	f.t.Helper()
	require.NoError(f.t, f.store.Delete(f.t.Context(), ""))
	f.pool = pool(unit)
	f.seed()
}

// pool is one of a layout of its own. Its fingerprint looks like one of package uid.
func pool(unit time.Duration) store.Pool {
	return store.Pool{Unit: unit, Layout: fmt.Sprintf("28.22.0.13.0=0@%dms+%d", unit.Milliseconds(),
		int64(1e18)+mathrand.Int64N(8e18))}
}

// workers are the worker ids of a fixture.
func workers() (all []int64) {
	for id := int64(first); id <= last; id++ {
		all = append(all, id)
	}
	return all
}

// create creates rows, and returns their nonce.
func (f *fixture) create(workers ...int64) store.Nonce {
	f.t.Helper()
	nonce := leasetest.Nonce()
	require.NoError(f.t, f.store.Create(f.t.Context(), f.pool, workers, nonce))
	return nonce
}

// opening is what Open is called with.
type opening struct {
	store.Pool
	workers        []int64
	created, nonce store.Nonce
	high           int64
}

// opening is one of rows that were created, from the present tick on.
func (f *fixture) opening(created store.Nonce, workers ...int64) opening {
	f.t.Helper()
	v := f.view()
	return opening{f.pool, workers, created, leasetest.Nonce(), v.TickAt(v.Now) - 1}
}

func (o opening) send(ctx context.Context, s store.Store) error {
	return s.Open(ctx, o.Pool, o.workers, o.created, o.nonce, o.high)
}

func (f *fixture) open(o opening) {
	f.t.Helper()
	require.NoError(f.t, o.send(f.t.Context(), f.store))
}

// seed makes rows that may be granted at once.
func (f *fixture) seed() {
	f.t.Helper()
	created := f.create(workers()...)
	leasetest.MakeHead(f.t, f.store, f.pool)
	f.open(f.opening(created, workers()...))
	require.Len(f.t, f.view().Rows, last-first+1)
}

// viewOf is the view of some rows of a pool.
func (f *fixture) viewOf(p store.Pool, first, last int64) store.View {
	f.t.Helper()
	v, err := f.store.View(f.t.Context(), p, first, last)
	require.NoError(f.t, err)
	require.Equal(f.t, p, v.Pool)
	return v
}

func (f *fixture) view() store.View {
	f.t.Helper()
	return f.viewOf(f.pool, first, last)
}

// row is a row as it is now, and at that moment all the rest.
func (f *fixture) row(id int64) (store.Row, store.View) {
	f.t.Helper()
	v := f.viewOf(f.pool, id, id)
	require.Len(f.t, v.Rows, 1)
	require.Equal(f.t, id, v.Rows[0].Worker)
	return v.Rows[0], v
}

type kind string

const (
	acquire kind = "acquire"
	extend  kind = "extend"
	release kind = "release"
)

// kinds are the three that there are.
var kinds = []kind{acquire, extend, release}

// prepare is a write of the row as it is now that has nothing against it, but
// that the row may be held.
func (f *fixture) prepare(id int64, k kind) store.Write {
	f.t.Helper()
	row, v := f.row(id)
	high := row.High
	if k != release {
		high = max(high, v.TickAt(v.Now)+2)
	}
	return store.Write{
		Pool: v.Pool, Epoch: v.Epoch, Floor: v.Floor,
		Worker: id, Expect: []store.Nonce{row.Nonce}, Nonce: leasetest.Nonce(),
		High: high, TTL: time.Hour, Owner: "storetest",
		Acquire: k == acquire, Release: k == release, Now: v.Now,
	}
}

func (f *fixture) applied(w store.Write) {
	f.t.Helper()
	ok, err := f.store.Write(f.t.Context(), w)
	require.NoError(f.t, err)
	require.True(f.t, ok, "the write was not applied, though its conditions hold: %+v", w)
}

// missed sends a write one of whose conditions fails. Such a write says so, and
// leaves the rows alone.
func (f *fixture) missed(w store.Write) {
	f.t.Helper()
	before := f.view()
	ok, err := f.store.Write(f.t.Context(), w)
	assert.False(f.t, ok, "the write was applied")
	assert.NoError(f.t, err, "a failed condition is no error")
	assert.Equal(f.t, before.Rows, f.view().Rows, "the rows after a write that was not applied")
}

// hold acquires a row.
func (f *fixture) hold(id int64) {
	f.t.Helper()
	f.applied(f.prepare(id, acquire))
}

// run is a test within a test, on the same pool.
func (f *fixture) run(name string, test func(f *fixture)) {
	f.t.Run(name, func(t *testing.T) {
		inner := *f
		inner.t = t
		test(&inner)
	})
}

// between asserts that t is from earliest to latest. Stores keep milliseconds.
func between(t *testing.T, earliest, at, latest time.Time, what string) {
	t.Helper()
	off := at.Before(earliest.Add(-time.Millisecond)) || at.After(latest.Add(time.Millisecond))
	assert.False(t, off, "%s: %v, and not from %v to %v", what, at, earliest, latest)
}

// until polls a condition that the store's clock, or somebody else, brings about.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for begin := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			require.FailNow(t, "it does not come to this: "+what)
		}
	}
}
