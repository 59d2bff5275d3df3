package storetest

import (
	"bytes"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/store"
)

// leaves applies a write and checks the row that it leaves, and no other.
func (f *fixture) leaves(w store.Write, high int64) {
	f.t.Helper()
	before := f.view()
	w.Now = before.Now
	f.applied(w)
	after := f.view()
	for i, row := range after.Rows {
		if row.Worker != w.Worker {
			assert.Equal(f.t, before.Rows[i], row, "a row that was not written")
			continue
		}
		assert.Equal(f.t, w.Nonce, row.Nonce)
		assert.Equal(f.t, !w.Release, row.Held)
		assert.Equal(f.t, high, row.High)
		assert.Equal(f.t, w.Owner, row.Owner)
		between(f.t, before.Now, row.Renewed, after.Now, "the last write")
		if w.Release {
			assert.False(f.t, row.Expires.After(after.Now.Add(time.Millisecond)),
				"a released row has expired")
		} else {
			// A store may look at its clock for each of the two.
			between(f.t, before.Now.Add(w.TTL), row.Expires, after.Now.Add(w.TTL), "the expiry")
		}
	}
	assert.Equal(f.t, before.Epoch, after.Epoch)
	assert.Equal(f.t, before.Floor, after.Floor)
}

func testAcquire(f *fixture) {
	w := f.prepare(7, acquire)
	f.leaves(w, w.High)
}

func testExtend(f *fixture) {
	w := f.prepare(7, acquire)
	f.leaves(w, w.High)
	high := w.High + 3

	w = f.prepare(7, extend)
	w.High, w.TTL, w.Owner = high, 2*time.Hour, "another name"
	f.leaves(w, high)

	w = f.prepare(7, extend)
	w.High = high // a sign of life
	f.leaves(w, high)

	w = f.prepare(7, extend)
	w.High = high - 2
	f.leaves(w, high)
}

func testRelease(f *fixture) {
	w := f.prepare(7, acquire)
	f.leaves(w, w.High)
	high := w.High

	w = f.prepare(7, release)
	w.High = high - 1
	f.leaves(w, high-1)

	w = f.prepare(7, acquire)
	w.High = high - 5
	f.leaves(w, high-1)

	w = f.prepare(7, release)
	w.High = high + 5 // a release says how far was minted, whatever it is
	f.leaves(w, high+5)
}

// testFarTicks: ticks are exact as far as milliseconds reach in a float64, which
// is where the narrowest store ends: some 285,000 years.
func testFarTicks(f *fixture) {
	const far = 1<<53 - 1
	for _, high := range []int64{far, far - 1, 1<<40 + 1, 1<<31 + 1, 1, 0} {
		w := f.prepare(7, release)
		w.High = high
		f.leaves(w, high)
	}
	w := f.prepare(7, extend)
	w.High = far
	f.missed(w)
}

// testNoncesExact: all 128 bits, whatever they mean to a store's language.
func testNoncesExact(f *fixture) {
	for _, n := range []string{
		"0123456789abcdef", "0123456789ABCDEF", "'; DROP TABLE x;", `\'"%_\\\n$1 ?:x{}`,
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01",
		"\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0",
		"ends in blanks  ", "ends in a line\r\n", "ends in nil\x00\x00\x00\x00\x00",
	} {
		w := f.prepare(7, extend)
		w.Nonce = store.Nonce([]byte(n))
		f.leaves(w, w.High)

		w = f.prepare(7, extend)
		w.Expect[0][15] ^= 0x20 // the other case of a letter, a blank for nil
		f.missed(w)
	}
}

func testOwners(f *fixture) {
	for _, owner := range []string{
		"", "10.0.0.7:8080", "UPPER lower ", "日本 ü 🦫", `'"\;--%_{}[]|/`, "one\ntwo\tthree", "null",
		string(bytes.Repeat([]byte("x"), 300)),
	} {
		w := f.prepare(7, extend)
		w.Owner = owner
		f.leaves(w, w.High)
	}
}
