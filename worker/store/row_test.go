package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/store"
)

// A write is applied at the last moment, or in the last tick, at which its conditions hold.
func TestApply(t *testing.T) {
	p := store.Pool{Layout: "a layout", Unit: time.Second}
	now := time.Unix(1000, 0)
	held := store.Row{Nonce: store.Nonce{1}, Open: true, Held: true, High: 900, Expires: now,
		Slack: 5 * time.Second}
	write := store.Write{Pool: p, Expect: []store.Nonce{{1}}, Nonce: store.Nonce{2}, High: 1060,
		TTL: time.Minute, Slack: time.Second}
	type change func(r *store.Row, w *store.Write)
	const same, none = 5 * time.Second, 0
	for what, c := range map[string]struct {
		change
		slack time.Duration // of the row, if the write is applied
	}{
		"a renewal":         {func(*store.Row, *store.Write) {}, same},
		"a renewal of less": {func(_ *store.Row, w *store.Write) { w.High = 800 }, same},
		"a larger slack":    {func(_ *store.Row, w *store.Write) { w.Slack = time.Hour }, time.Hour},
		"a lease that ends": {func(_ *store.Row, w *store.Write) { w.Acquire = true }, same},
		"a lease that has not": {func(r *store.Row, w *store.Write) {
			w.Acquire, r.Expires = true, now.Add(1)
		}, none},
		"a tick too far": {func(_ *store.Row, w *store.Write) { w.High++ }, none},
		"a release above that": {func(_ *store.Row, w *store.Write) {
			w.High, w.Release = 2000, true
		}, same},
		"another nonce":  {func(r *store.Row, _ *store.Write) { r.Nonce[0]++ }, none},
		"a row not open": {func(r *store.Row, _ *store.Write) { r.Open = false }, none},
	} {
		r, w := held, write
		c.change(&r, &w)
		after, applied := w.Apply(r, now)
		assert.Equal(t, c.slack > 0, applied, what)
		if !applied {
			assert.Equal(t, r, after, what)
			continue
		}
		assert.Equal(t, store.Row{Nonce: w.Nonce, Open: true, Held: !w.Release, High: max(900, w.High),
			Expires: after.Expires, Renewed: now, Slack: c.slack}, after, what)
		assert.Equal(t, w.Release, after.Expires.Equal(now), what)
	}
}

// A tick before 1970 begins before it, too.
func TestTickAt(t *testing.T) {
	p := store.Pool{Unit: time.Second}
	for ms, want := range map[int64]int64{-1001: -2, -1000: -1, -1: -1, 0: 0, 999: 0, 1000: 1} {
		assert.Equal(t, want, p.TickAt(time.UnixMilli(ms)), "%d ms", ms)
	}
}
