package storetest

import (
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// conditions spoil a good write, each in one way.
var conditions = map[string]func(w *store.Write){
	"another nonce": func(w *store.Write) { w.Expect[0] = leasetest.Nonce() },
	"two other nonces": func(w *store.Write) {
		w.Expect = []store.Nonce{leasetest.Nonce(), leasetest.Nonce()}
	},
	"a nonce off by its first bit":  func(w *store.Write) { w.Expect[0][0] ^= 0x80 },
	"a nonce off by its last bit":   func(w *store.Write) { w.Expect[0][15] ^= 1 },
	"another layout":                func(w *store.Write) { w.Layout = pool(w.Unit).Layout },
	"a layout of other letters":     func(w *store.Write) { w.Layout = strings.ToUpper(w.Layout) },
	"a layout with a blank":         func(w *store.Write) { w.Layout += " " },
	"another epoch":                 func(w *store.Write) { w.Epoch += "x" },
	"a floor that it has not seen":  func(w *store.Write) { w.Floor-- },
	"a floor that is not there yet": func(w *store.Write) { w.Floor++ },
	"a worker id below the rows":    func(w *store.Write) { w.Worker = first - 1 },
	"a worker id above the rows":    func(w *store.Write) { w.Worker = last + 1 },
	"another row":                   func(w *store.Write) { w.Worker = last },
}

// testConditions: a write is applied only if every condition holds.
func testConditions(f *fixture) {
	const id = first
	f.hold(id) // so that it has a nonce of its own: rows that were opened together share one
	f.applied(f.prepare(id, release))
	for _, k := range kinds {
		for name, spoil := range conditions {
			f.run(string(k)+" with "+name, func(f *fixture) {
				if k != acquire {
					f.hold(id)
				}
				w := f.prepare(id, k)
				spoil(&w)
				f.missed(w)
				f.applied(f.prepare(id, k)) // it was that alone
				f.applied(f.prepare(id, release))
			})
		}
	}
}

// testSecondNonce: a row may have either nonce that is expected, in any order.
func testSecondNonce(f *fixture) {
	for _, k := range kinds {
		w := f.prepare(first, k)
		w.Expect = []store.Nonce{leasetest.Nonce(), w.Expect[0]}
		f.applied(w)
		if k == acquire { // free it for the other order
			f.applied(f.prepare(first, release))
		}
		w = f.prepare(first, k)
		w.Expect = append(w.Expect, leasetest.Nonce())
		f.applied(w)
	}
}

// testHeld: a held row is written by whoever has its nonce, but not acquired.
func testHeld(f *fixture) {
	f.hold(first)
	f.missed(f.prepare(first, acquire))
	f.applied(f.prepare(first, extend))
	f.missed(f.prepare(first, acquire))
	f.applied(f.prepare(first, release))
	f.applied(f.prepare(first, acquire))
}

// testExpired: from Expires on, a held row may be acquired; until then its holder
// extends it, even late.
func testExpired(f *fixture) {
	expire := func(k kind) {
		w := f.prepare(first, k)
		w.TTL = f.ttl
		f.applied(w)
		until(f.t, "the row expires", func() bool {
			row, v := f.row(first)
			return !row.Held || !row.Expires.After(v.Now)
		})
	}
	expire(acquire)
	expire(extend)
	old := f.prepare(first, extend)
	f.applied(f.prepare(first, acquire))
	f.missed(old) // its nonce is gone
}

// testWindowLimit: a grant may end Window ticks after that of now, and not one later.
func testWindowLimit(f *fixture) {
	f.begin(time.Hour)
	for _, k := range []kind{acquire, extend} {
		f.inOneTick(func(v store.View) {
			w := f.prepare(first, k)
			w.High = grants.Last(v) + 1
			f.missed(w)
			w = f.prepare(first, k)
			w.High = grants.Last(v)
			f.applied(w)
		})
	}
	w := f.prepare(first, release) // a release tells what was minted, and grants nothing
	w.High += 1000
	f.applied(w)
}

// inOneTick runs do while the store's tick stays the same, as far as one can see;
// a tick of an hour does not change twice in a row.
func (f *fixture) inOneTick(do func(v store.View)) {
	f.t.Helper()
	v := f.view()
	if rest := v.Now.Truncate(v.Unit).Add(v.Unit).Sub(v.Now); rest < 5*time.Second {
		until(f.t, "the next tick begins", func() bool {
			v = f.view()
			return v.Now.Truncate(v.Unit).Add(v.Unit).Sub(v.Now) > 5*time.Second
		})
	}
	do(v)
}

// testWritersClockIgnored: a store with a clock believes no writer's.
func testWritersClockIgnored(f *fixture) {
	f.hold(first)
	w := f.prepare(first, acquire)
	w.Now = w.Now.AddDate(10, 0, 0)
	f.missed(w) // the row has not expired

	w = f.prepare(first, extend)
	w.Now = w.Now.AddDate(10, 0, 0)
	w.High = f.pool.TickAt(w.Now)
	f.missed(w)

	w = f.prepare(first, extend)
	w.Now = w.Now.AddDate(-10, 0, 0)
	f.applied(w)
	row, v := f.row(first)
	between(f.t, v.Now.Add(-time.Minute), row.Renewed, v.Now, "the last write")
}

// testNow: the server is asked each time, and the answer is not before any view's.
func testNow(f *fixture) {
	before := f.view().Now
	now, err := f.store.Now(f.t.Context())
	require.NoError(f.t, err)
	between(f.t, before, now, f.view().Now.Add(5*time.Second), "the latest time that it can be")
	for range 3 {
		require.Eventually(f.t, func() bool {
			later, err := f.store.Now(f.t.Context())
			return err == nil && later.After(now)
		}, 10*time.Second, 20*time.Millisecond, "it was asked only once")
		now, err = f.store.Now(f.t.Context())
		require.NoError(f.t, err)
	}
}
