package rowtext

import (
	"crypto/rand"
	"slices"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// Apply is the contract of store.Write: the row that w leaves of r, or false
// when one of its conditions fails. The clock is the writer's.
func Apply(n store.Namespace, r store.Row, w store.Write) (store.Row, bool) {
	switch {
	case !slices.Contains(w.Expect, r.Nonce), // I3
		w.Acquire && r.Held && r.Expires.After(w.Now),
		w.Fingerprint != n.Fingerprint,
		w.Epoch != n.Epoch || w.Floor != n.Floor,        // I7
		!w.Release && w.High > n.TickAt(w.Now)+n.Window: // I6
		return r, false
	}
	r.Nonce, r.Held, r.Renewed, r.Owner = w.Nonce, !w.Release, w.Now, w.Owner
	if w.Release {
		r.High, r.Expires = w.High, w.Now
	} else {
		r.High, r.Expires = max(r.High, w.High), w.Now.Add(w.TTL) // I4
	}
	return r, true
}

// Free is the row that Init makes at now for a worker id that was granted to
// nobody beyond the tick high.
func Free(id, high int64, now time.Time) store.Row {
	r := store.Row{Worker: id, High: high, Expires: now, Renewed: now}
	rand.Read(r.Nonce[:])
	return r
}
