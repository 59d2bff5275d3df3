package storetest

import (
	"strings"
	"time"

	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// conditions spoil a good write, each in one way.
var conditions = map[string]func(w *store.Write){
	"another nonce": func(w *store.Write) { w.Expect[0] = nonce() },
	"two other nonces": func(w *store.Write) {
		w.Expect = []store.Nonce{nonce(),
			nonce()}
	},
	"a nonce off by its first bit": func(w *store.Write) { w.Expect[0][0] ^= 0x80 },
	"a nonce off by its last bit":  func(w *store.Write) { w.Expect[0][15] ^= 1 },
	"another layout":               func(w *store.Write) { w.Fingerprint = "Layout-2" },
	"a layout of other letters": func(w *store.Write) {
		w.Fingerprint = strings.ToLower(
			w.Fingerprint)
	},
	"a layout with a blank":         func(w *store.Write) { w.Fingerprint += " " },
	"another epoch":                 func(w *store.Write) { w.Epoch += "x" },
	"a floor that it has not seen":  func(w *store.Write) { w.Floor-- },
	"a floor that is not there yet": func(w *store.Write) { w.Floor++ },
	"a worker id below the rows":    func(w *store.Write) { w.Worker = first - 1 },
	"a worker id above the rows":    func(w *store.Write) { w.Worker = last + 1 },
	"another row":                   func(w *store.Write) { w.Worker = last },
	"another namespace":             func(w *store.Write) { w.Namespace += "x" },
	"other letters of a namespace": func(
		w *store.Write) {
		w.Namespace = strings.ToUpper(w.Namespace)
	},
}

// testConditions: a write is applied only if every condition holds.
func testConditions(f *fixture) {
	const id = first
	for _, k := range []kind{acquire, extend, release} {
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

// run is a test within a test, on the same namespace.
func (f *fixture) run(name string, test func(f *fixture)) {
	f.t.Run(name, func(t *testing.T) {
		inner := *f
		inner.t = t
		test(&inner)
	})
}

// testSecondNonce: a row may have either nonce that is expected, in any order.
func testSecondNonce(f *fixture) {
	for _, k := range []kind{acquire, extend, release} {
		w := f.prepare(first, k)
		w.Expect = []store.Nonce{nonce(), w.Expect[0]}
		f.applied(w)
		if k == acquire { // free it for the other order
			f.applied(f.prepare(first, release))
		}
		w = f.prepare(first, k)
		w.Expect = append(w.Expect, nonce())
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
	for _, k := range []kind{acquire, extend} {
		f.inOneTick(func(v store.View) {
			w := f.prepare(first, k)
			w.High = v.TickAt(v.Now) + v.Window + 1
			f.missed(w)
			w = f.prepare(first, k)
			w.High = v.TickAt(v.Now) + v.Window
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
	w.High = f.ns.TickAt(w.Now)
	f.missed(w)

	w = f.prepare(first, extend)
	w.Now = w.Now.AddDate(-10, 0, 0)
	f.applied(w)
	row, v := f.row(first)
	between(f.t, v.Now.Add(-time.Minute), row.Renewed, v.Now, "the last write")
}

// testWritersClock: a store without a clock keeps to the writer's.
func testWritersClock(f *fixture) {
	f.hold(first)
	w := f.prepare(first, extend)
	w.Now = w.Now.AddDate(0, 0, -30)
	f.missed(w) // by that clock, High lies beyond the window

	w = f.prepare(first, extend)
	w.Now = w.Now.AddDate(0, 0, 1)
	w.High = f.ns.TickAt(w.Now) + f.ns.Window
	f.applied(w)
	row, _ := f.row(first)
	require.Equal(f.t, w.High, row.High)
	between(f.t, w.Now, row.Renewed, w.Now, "the last write")
}
