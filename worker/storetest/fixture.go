package storetest

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// fixture is a store with a namespace of one test's own: worker ids 5 to 9, of
// ticks so long that a test sees only one or two.
type fixture struct {
	settings
	t     *testing.T
	store store.Store
	ns    store.Namespace // as it was when made: without epoch and floor
}

const first, last = 5, 9

func newFixture(t *testing.T, s store.Store, c settings) *fixture {
	f := &fixture{settings: c, t: t, store: s, ns: namespace(time.Hour, 20)}
	f.init(f.ns)
	return f
}

// namespace is one of a layout of its own, since those of one layout share its
// worker ids.
func namespace(unit time.Duration, window int64) store.Namespace {
	return store.Namespace{
		Name: "storetest-" + nonce().String(), Fingerprint: "Layout-" + nonce().String(), Unit: unit,
		First: first, Last: last, Window: window,
	}
}

// nonce makes a new one.
func nonce() (n store.Nonce) {
	rand.Read(n[:])
	return n
}

// init makes a namespace from which one may grant at once.
func (f *fixture) init(ns store.Namespace) {
	f.t.Helper()
	require.NoError(f.t, f.store.Init(f.t.Context(), ns, store.InitOptions{Fresh: true}))
}

func (f *fixture) view() store.View {
	f.t.Helper()
	v, err := f.store.View(f.t.Context(), f.ns.Name, f.ns.First, f.ns.Last)
	require.NoError(f.t, err)
	require.Len(f.t, v.Rows, int(f.ns.Last-f.ns.First+1))
	return v
}

// row is a row as it is now, and at that moment all the rest.
func (f *fixture) row(id int64) (store.Row, store.View) {
	f.t.Helper()
	v, err := f.store.View(f.t.Context(), f.ns.Name, id, id)
	require.NoError(f.t, err)
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
		Namespace: v.Name, Fingerprint: v.Fingerprint, Epoch: v.Epoch, Floor: v.Floor,
		Worker: id, Expect: []store.Nonce{row.Nonce}, Nonce: nonce(),
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
// leaves the row alone.
func (f *fixture) missed(w store.Write) {
	f.t.Helper()
	before := f.view()
	ok, err := f.store.Write(f.t.Context(), w)
	assert.False(f.t, ok, "the write was applied")
	if err != nil && !errors.Is(err, store.ErrNoNamespace) {
		assert.NoError(f.t, err, "a failed condition is no error, unless there is no such row")
	}
	assert.Equal(f.t, before.Rows, f.view().Rows, "the rows after a write that was not applied")
}

// hold acquires a row.
func (f *fixture) hold(id int64) {
	f.t.Helper()
	f.applied(f.prepare(id, acquire))
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
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for begin := time.Now(); !done(); <-poll.C {
		if time.Since(begin) > time.Minute {
			require.FailNow(t, "it does not come to this: "+what)
		}
	}
}

// nonces are those of rows, in order.
func nonces(rows []store.Row) []store.Nonce {
	var all []store.Nonce
	for _, r := range rows {
		all = append(all, r.Nonce)
	}
	return slices.Clip(all)
}
