package worker

import (
	"io"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/store"
)

// What the simulation and the exhaustive model need of this package's inside.
// They live in worker_test, since they import memstore.

// Holder is the protocol's state machine.
type Holder struct{ h holder }

func NewHolder(c Claim) *Holder { return &Holder{holder{owner: c.Owner, ttl: c.TTL}} }

// Choose is Assign's choice among the rows of a view, and the write for it.
func (h *Holder) Choose(c Claim, v store.View) (store.Write, error) {
	nonce := c.nonce()
	row, err := c.choose(moment{nonce: nonce}, v)
	if err != nil {
		return store.Write{}, err
	}
	return h.h.acquire(v, row, nonce), nil
}

func (h *Holder) See(v store.View) error                       { return h.h.see(v, nil) }
func (h *Holder) Wrote(w store.Write, applied bool, err error) { h.h.wrote(w, applied, err) }
func (h *Holder) Release(v store.View, last int64, n store.Nonce) store.Write {
	return h.h.release(v, last, n)
}
func (h *Holder) Restore()                 { h.h.restore() }
func (h *Holder) Want(tick int64)          { h.h.want(tick) }
func (h *Holder) Grant() (lo, hi int64)    { return h.h.grant() }
func (h *Holder) Hungry(cursor int64) bool { return h.h.hungry(cursor) }
func (h *Holder) Lost() error              { return h.h.lost }
func (h *Holder) Worker() int64            { return h.h.worker }
func (h *Holder) Granted() bool            { return len(h.h.spans) > 0 }

func (h *Holder) Due(v store.View, cursor int64, beat bool, n store.Nonce) (store.Write, bool) {
	return h.h.due(v, cursor, beat, n)
}

// Spans calls f for each granted span.
func (h *Holder) Spans(f func(lo, hi int64)) {
	for _, s := range h.h.spans {
		f(s.lo, s.hi)
	}
}

// Clone is the holder of a copied process.
func (h *Holder) Clone() *Holder {
	return &Holder{h.h.clone()}
}

// Key is equal for holders that will act alike, unless they are released, or
// restored while it is not yet known that they will. name gives nonces short names.
func (h *Holder) Key(name func(store.Nonce) int64, restores bool) []int64 {
	bit := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	i := h.h
	k := []int64{name(i.nonce), max(i.acked, i.twin), i.acked, i.ns.Floor, int64(len(i.ns.Epoch)),
		bit(i.doubt), bit(i.missed), bit(i.lost != nil), int64(len(i.unknown))}
	if restores {
		k = append(k, i.asked)
	}
	for _, w := range i.unknown {
		k = append(k, name(w.Nonce), w.High, w.Floor)
	}
	return k
}

// ForgetWrites makes a restore forget the writes that were under way (I5).
func (h *Holder) ForgetWrites() { h.h.twin = h.h.acked }

// RaiseFor is the new epoch that a view calls for.
func RaiseFor(c Claim, v store.View) (store.Raise, bool) { return v.Raise(c.Slack) }

// Rigged is the claim on another clock and source of randomness.
func (c Claim) Rigged(wall func() time.Time, mono func() time.Duration, random io.Reader) Claim {
	c.clock, c.random = clock.Clock{Wall: wall, Mono: mono}, random
	return c.withDefaults()
}

// NewNonce is the next nonce of the claim's source.
func (c Claim) NewNonce() store.Nonce { return c.nonce() }

// clone is the holder of a copied process.
func (h holder) clone() holder {
	h.spans, h.unknown = slices.Clone(h.spans), slices.Clone(h.unknown)
	return h
}

// clone is the keeper of a copied process, with a claim of its own.
func (k keeper) clone(c Claim) keeper {
	k.c, k.h = c, k.h.clone()
	return k
}
