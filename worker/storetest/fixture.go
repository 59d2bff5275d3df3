package storetest

import (
	"fmt"
	mathrand "math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// fixture is a store, a pool of the test's own with the worker ids 5 to 9, all open and free,
// and a model of the store: a memstore, to which each call is made, too. Both must give the
// same answer, and show the same rows afterwards.
type fixture struct {
	Options
	t     *testing.T
	store store.Store
	model *memory.Store
	now   time.Time // the model's clock: the store's time, as it was seen last
	pool  store.Pool
	pools []store.Pool // all that the test has used, the latest first

	uncompared bool             // calls are made without a comparison after each
	did        map[int64]string // what a test did last with each worker id
}

const first, last = 5, 9

// all is the last worker id that is looked for.
const all = 1<<22 - 1

// unit is the length of ticks, about a day, of which the present one began half a tick ago: it does
// not end during a test. So what a window allows, and the floor that a Raise sets, are exact.
var unit = time.Duration(time.Now().UnixMilli()*2/(2*20_000+1)) * time.Millisecond

func newFixture(t *testing.T, s store.Store, o Options) *fixture {
	f := &fixture{Options: o, t: t, store: s}
	f.begin()
	f.seed()
	return f
}

// begin deletes all rows of the place, and begins a pool without rows.
func (f *fixture) begin() {
	f.t.Helper()
	require.NoError(f.t, f.store.Delete(f.t.Context(), ""))
	f.model = memory.NewAt(func() time.Time { return f.now })
	f.pools = nil
	f.use(pool(unit))
}

// pool returns a pool with a layout of its own. The fingerprint looks like one of package uid.
func pool(unit time.Duration) store.Pool {
	return store.Pool{Unit: unit, Layout: fmt.Sprintf("28.22.0.13.0=0@%dms+%d", unit.Milliseconds(),
		int64(1e18)+mathrand.Int64N(8e18))}
}

// use continues with another pool, in the same place.
func (f *fixture) use(p store.Pool) {
	f.t.Helper()
	f.pool, f.pools = p, append([]store.Pool{p}, f.pools...)
	f.incarnation()
}

// incarnation gives the model the incarnation of the store's server.
func (f *fixture) incarnation() {
	f.t.Helper()
	v, err := f.store.View(f.t.Context(), f.pool, 0, 0)
	require.NoError(f.t, err)
	require.True(f.t, f.Restart == nil || v.Server != "", "the incarnation")
	f.model.Restart(v.Server)
	f.compare()
}

// seed makes rows that may be granted at once, and a head whose floor is in the past.
func (f *fixture) seed() {
	f.t.Helper()
	f.atOnce(func() {
		created := f.create(workers()...)
		f.makeHead()
		f.open(created, workers()...)
	})
}

// workers are the worker ids of a fixture.
func workers() (ids []int64) {
	for id := int64(first); id <= last; id++ {
		ids = append(ids, id)
	}
	return ids
}

// makeHead makes a head whose floor is in the past, if pools have heads. Only a test may do
// so: heads and new rows otherwise begin a window ahead of the clock.
func (f *fixture) makeHead() {
	f.t.Helper()
	f.incarnation() // tables that were made may be part of it
	if v := f.modelled(f.pool, 0, 0); v.Server != v.Epoch {
		require.True(f.t, f.raise(v.Head, -f.pool.Window()-3, time.Second))
	}
}

// create creates rows, and returns their nonce.
func (f *fixture) create(workers ...int64) store.Nonce {
	f.t.Helper()
	nonce := leasetest.Nonce()
	f.createAs(nonce, workers...)
	return nonce
}

func (f *fixture) createAs(nonce store.Nonce, workers ...int64) {
	f.t.Helper()
	f.do(func(s store.Store) (bool, error) {
		return true, s.Create(f.t.Context(), f.pool, workers, nonce)
	})
}

// open opens those rows that have the nonce created; they may be granted from the present tick on.
func (f *fixture) open(created store.Nonce, workers ...int64) {
	f.t.Helper()
	f.opens(f.opening(created, leasetest.Nonce(), workers...))
}

// opening holds the arguments of Open.
type opening struct {
	store.Pool
	workers []int64
	created store.Nonce
	opened  store.Row
}

// opening opens rows whose grants may begin at the present tick.
func (f *fixture) opening(created, nonce store.Nonce, workers ...int64) opening {
	return opening{f.pool, workers, created, store.Row{Nonce: nonce, Open: true,
		High: f.pool.TickAt(f.now) - 1, Slack: 2 * time.Second}}
}

func (f *fixture) opens(o opening) {
	f.t.Helper()
	f.do(func(s store.Store) (bool, error) {
		return true, s.Open(f.t.Context(), o.Pool, o.workers, o.created, o.opened)
	})
}

func (f *fixture) delete(layout string) {
	f.t.Helper()
	f.do(func(s store.Store) (bool, error) { return true, s.Delete(f.t.Context(), layout) })
}

func (f *fixture) write(w store.Write) (applied bool) {
	f.t.Helper()
	return f.do(func(s store.Store) (bool, error) { return s.Write(f.t.Context(), w) })
}

func (f *fixture) raise(was store.Head, ahead int64, slack time.Duration) (applied bool) {
	f.t.Helper()
	return f.do(func(s store.Store) (bool, error) {
		return s.(store.Raiser).Raise(f.t.Context(), f.pool, was, ahead, slack)
	})
}

// do makes a call to the store and to the model.
func (f *fixture) do(call func(s store.Store) (bool, error)) (applied bool) {
	f.t.Helper()
	want, err := call(f.model)
	require.NoError(f.t, err)
	got, err := call(f.store)
	require.NoError(f.t, err, "a failed condition is no error")
	require.Equal(f.t, want, got, "whether it was applied")
	if !f.uncompared {
		f.compare()
	}
	return want
}

// atOnce makes many calls, of which each would show what is wrong with an earlier one, and compares
// what they leave.
func (f *fixture) atOnce(calls func()) {
	f.t.Helper()
	within := f.uncompared
	f.uncompared = true
	calls()
	if f.uncompared = within; !within {
		f.compare()
	}
}

// compare requires that the store shows what the model does, in all pools of the test.
func (f *fixture) compare() {
	f.t.Helper()
	var now time.Time
	for _, p := range f.pools {
		now = f.see(p, 0, all)
	}
	f.now = now
}

// see compares a part of a pool, and returns the store's time.
func (f *fixture) see(p store.Pool, first, last int64) (now time.Time) {
	f.t.Helper()
	got, err := f.store.View(f.t.Context(), p, first, last)
	require.NoError(f.t, err)
	want := f.modelled(p, first, last)
	require.Equal(f.t, want.Pool, got.Pool)
	require.Equal(f.t, want.Server, got.Server)
	require.Equal(f.t, want.Head, got.Head)
	require.NoError(f.t, got.Unreadable)
	require.Len(f.t, got.Rows, len(want.Rows))
	between(f.t, time.Now().Add(-time.Minute), got.Now, time.Now().Add(time.Minute), "its clock")
	for i, row := range got.Rows {
		if want.Rows[i].Renewed.Equal(f.now) && row.Nonce == want.Rows[i].Nonce {
			want.Rows[i] = f.written(p, want.Rows[i], row, got.Now)
		}
		require.Equal(f.t, want.Rows[i], row, "after %s", f.did[row.Worker])
	}
	require.Len(f.t, got.Others, len(want.Others))
	for other, row := range want.Others { // any row that reaches as far will do
		assert.Equal(f.t, row.Open, got.Others[other].Open)
		assert.Equal(f.t, row.High, got.Others[other].High)
		require.Contains(f.t, f.modelled(other, 0, all).Rows, got.Others[other])
	}
	return got.Now
}

func (f *fixture) modelled(p store.Pool, first, last int64) store.View {
	f.t.Helper()
	v, err := f.model.View(f.t.Context(), p, first, last)
	require.NoError(f.t, err)
	return v
}

// written has the model adopt the times of a row that the store has just written. They are by
// the store's clock, at a moment since it was seen last.
func (f *fixture) written(p store.Pool, model, row store.Row, now time.Time) store.Row {
	f.t.Helper()
	between(f.t, f.now, row.Renewed, now, "the last write")
	// A store may read its clock separately for each of the two times.
	earliest := model.Expires
	if !model.Held {
		earliest = time.Time{} // a released row has expired
	}
	between(f.t, earliest, row.Expires, model.Expires.Add(now.Sub(f.now)), "the expiry")
	model.Renewed, model.Expires = row.Renewed, row.Expires
	f.model.Edit(p.Layout, row.Worker, func(r *store.Row) bool { *r = model; return true })
	return model
}

type kind string

const (
	acquire kind = "acquire"
	extend  kind = "extend"
	release kind = "release"
)

var kinds = []kind{acquire, extend, release}

// prepare returns a write of the first row of a view. It is valid, except that the row may be
// held, unopened, or missing.
func prepare(v store.View, k kind) store.Write {
	v.Rows = append(v.Rows, store.Row{})
	w := leasetest.Acquisition(v)
	if w.High = v.Rows[0].High; k != release {
		w.High = max(w.High, v.TickAt(v.Now)+1)
	}
	w.TTL, w.Owner, w.Acquire, w.Release = time.Hour, "storetest", k == acquire, k == release
	return w
}

func (f *fixture) prepare(id int64, k kind) store.Write {
	f.t.Helper()
	w := prepare(f.modelled(f.pool, id, id), k)
	w.Worker = id
	return w
}

// hold acquires a row.
func (f *fixture) hold(id int64) {
	f.t.Helper()
	require.True(f.t, f.write(f.prepare(id, acquire)))
}

// run is a test within a test.
func (f *fixture) run(name string, test func()) (ok bool) {
	outer := f.t
	defer func() { f.t = outer }()
	return f.t.Run(name, func(t *testing.T) {
		f.t = t
		test()
	})
}

// between requires that at is from earliest to latest. Stores keep milliseconds.
func between(t *testing.T, earliest, at, latest time.Time, what string) {
	t.Helper()
	off := at.Before(earliest.Add(-time.Millisecond)) || at.After(latest.Add(time.Millisecond))
	require.False(t, off, "%s: %v, and not from %v to %v", what, at, earliest, latest)
}
