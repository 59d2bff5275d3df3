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

// testLeaves: what is in a row after each write of a series, counted from the first High.
func testLeaves(f *fixture) {
	begin := f.prepare(7, acquire).High
	for _, c := range []struct {
		kind
		asks, leaves int64
	}{
		{acquire, 0, 0},
		{extend, 3, 3},
		{extend, 3, 3}, // a sign of life
		{extend, 1, 3}, // only a release lowers High
		{release, 2, 2},
		{acquire, -2, 2},
		{release, 7, 7}, // a release says how far was minted, whatever it is
	} {
		w := f.prepare(7, c.kind)
		w.High, w.TTL, w.Owner = begin+c.asks, time.Duration(8+c.asks)*time.Hour, string(c.kind)
		f.leaves(w, begin+c.leaves)
	}
}

// testExact: ticks are exact as far as milliseconds reach in a float64, which is where the
// narrowest store ends, some 285,000 years; so are owners, and all 128 bits of a nonce, whatever
// they mean to a store's language.
func testExact(f *fixture) {
	const far = 1<<53 - 1
	for _, high := range []int64{far, far - 1, 1<<40 + 1, 1<<31 + 1, 1, 0} {
		w := f.prepare(7, release)
		w.High = high
		f.leaves(w, high)
	}
	w := f.prepare(7, extend)
	w.High = far
	f.missed(w)
	for _, owner := range []string{
		"", "10.0.0.7:8080", "UPPER lower ", "日本 ü 🦫", `'"\;--%_{}[]|/`, "one\ntwo\tthree", "null",
		string(bytes.Repeat([]byte("x"), 300)),
	} {
		w := f.prepare(7, extend)
		w.Owner = owner
		f.leaves(w, w.High)
	}
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
