package worker

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// holder is what a process knows of its row, and what it may write there: the rules of
// docs/leases.md for one worker id. acquirer and keeper tell it what the store answered,
// and decide when to ask.
//
//	             acquire                     another's nonce, and a write misses
//	(none) ─────────────────────▶ held ───────────────────────────────▶ fenced: what was
//	  ▲                           │  ▲                                  granted is dropped
//	  │ release: High falls to    │  │ extend, when less than half a
//	  │ the last tick minted      ▼  │ window is left
//	  └────────────────────── used up, while the store does not answer
//
// Its invariants, with the numbers of the rules:
//
//	every span was acknowledged to this process                                (I1)
//	spans are disjoint, and each lies above every earlier one                  (I5)
//	spans[i].hi <= acked <= row.High, as long as row.Nonce is the process's own (I2, I4)
//	cloned < spans[i].lo, and acked <= asked                                   (I5)
//
// Why two holders never mint the same tick: the applied writes of a row are totally ordered,
// each built on the nonce of the one before. A takeover reads High together with the nonce
// that it compares, so if it is applied, old hi <= High < new lo, and writes still under way
// with the old nonce are not applied. A store that may lose acknowledged writes begins a new
// epoch with each incarnation of its server, and
//
//	old hi <= old clock + window <= new clock + slack + window < floor <= new lo
type holder struct {
	pool   store.Pool
	epoch  string // of the last view, like floor: every write compares both
	floor  int64
	worker int64
	owner  string
	ttl    time.Duration

	nonce store.Nonce // of the last write that was acknowledged
	// sent since then and not acknowledged, in order, the one under way included: one of them
	// may be in the row (I3, I8)
	unknown []store.Write
	asked   int64         // the highest High ever sent
	acked   int64         // the highest High acknowledged
	latest  *store.Write  // the last one acknowledged that no clone knows; nil: none
	shared  []store.Nonce // of writes that a clone also knows
	cloned  int64         // a clone may have been granted ticks up to here: asked, at the restore
	first   int64         // the first tick that was granted
	spans   []span        // granted and not yet used up, in order

	doubt    bool  // the last view showed another's nonce; it may be older than our writes
	missed   bool  // and the write after it was not applied: the next view decides
	restores int64 // how often this process may have been cloned, and had to give up its grants (I5)
	lost     error
}

type span struct{ lo, hi int64 }

// grant is what may be minted now: the first span.
func (h *holder) grant() (lo, hi int64) {
	if len(h.spans) == 0 {
		return 0, -1
	}
	return h.spans[0].lo, h.spans[0].hi
}

// want drops spans that end before tick, except the last one.
func (h *holder) want(tick int64) {
	for len(h.spans) > 1 && tick > h.spans[0].hi {
		h.spans = h.spans[1:]
	}
}

// acquire is the write that takes over a row that is not parked (I6).
func (h *holder) acquire(v store.View, row store.Row, nonce store.Nonce) store.Write {
	lo, hi := grants.Next(v, row), grants.Last(v)
	*h = holder{
		pool: v.Pool, epoch: v.Epoch, floor: v.Floor, worker: row.Worker, owner: h.owner, ttl: h.ttl,
		nonce: row.Nonce, asked: row.High, acked: row.High, cloned: row.High, first: lo,
	}
	return h.write(v, store.Write{Nonce: nonce, High: hi, Acquire: true})
}

// write completes a write that is sent now. Unknown means not granted (I8): until its answer
// comes, or a view shows its nonce.
func (h *holder) write(v store.View, w store.Write) store.Write {
	w.Pool, w.Epoch, w.Floor, w.Now = h.pool, h.epoch, h.floor, v.Now
	w.Worker, w.Owner, w.TTL = h.worker, h.owner, h.ttl
	w.Expect = []store.Nonce{h.nonce} // I3: when it acquires, the nonce just read
	if n := len(h.unknown); n > 0 {
		w.Expect = append(w.Expect, h.unknown[n-1].Nonce)
	}
	if len(h.unknown) == maxUnknown {
		h.unknown = h.unknown[1:] // if that one is in the row, the holder is fenced needlessly
	}
	h.unknown = append(h.unknown, w)
	h.asked = max(h.asked, w.High)
	return w
}

// maxUnknown is how many writes without an answer are remembered.
const maxUnknown = 8

// see takes in a view of the holder's row: it finds out what became of writes whose answer
// was lost, and whether somebody else has the row. An error is an alarm that the holder
// survives; a lost lease is in h.lost.
func (h *holder) see(v store.View) (alarm error) {
	h.epoch, h.floor = v.Epoch, v.Floor
	if len(v.Rows) == 0 {
		h.lost = fmt.Errorf("%w: worker id %d", ErrDeleted, h.worker)
		return nil
	}
	row := v.Rows[0]
	sent := slices.IndexFunc(h.unknown, func(w store.Write) bool { return w.Nonce == row.Nonce })
	switch {
	case row.Nonce == h.nonce:
		// An unknown write may still arrive; its nonce stays expected.
	case sent >= 0:
		h.acknowledge(h.unknown[sent], h.unknown[sent+1:])
	case !h.missed:
		h.doubt = true // the view may be older than our writes: the next one decides
		return nil
	default:
		h.fence(v, row)
		return nil
	}
	h.doubt, h.missed = false, false
	if row.High < h.acked {
		return fmt.Errorf("the store shows that %s: somebody edited the row; if more was edited, run "+
			"`uidbench worker quarantine`", h.less(row, h.acked))
	}
	h.lost = h.stranded(v)
	return nil
}

// fence drops what was granted: the row no longer belongs to this holder (I8).
func (h *holder) fence(v store.View, row store.Row) {
	h.spans = nil
	if least, sure := h.leastHigh(); sure && row.Open && row.High < least &&
		(v.Epoch == h.latest.Epoch || v.Floor <= least) {
		h.lost = fenced{fmt.Errorf("%w: it shows that %s: a backup was restored beside live processes, "+
			"or the store lost acknowledged writes. Ids that others were granted since may be duplicates. "+
			"This process deletes the rows of the layout, as `uidbench worker quarantine` does, before it "+
			"takes another worker id", ErrRolledBack, h.less(row, least))}
		return
	}
	has := "is free, and was last held"
	if row.Held {
		has = "is held"
	}
	h.lost = fmt.Errorf("%w: worker id %d %s by %s, written %s", ErrFenced, h.worker, has,
		holderOf(row), stamp(row.Renewed))
}

// less says that a row is granted less far than was acknowledged.
func (h *holder) less(row store.Row, acknowledged int64) string {
	return fmt.Sprintf("worker id %d was granted until %s, but it had acknowledged %s", h.worker,
		end(h.pool, row.High), end(h.pool, acknowledged))
}

// leastHigh is a tick that High cannot be below, whoever has the row now, unless the
// store lost an acknowledged write (I4). Others take over the row at High or above, and
// release it at the tick before their first one or later, so again at High or above. Only
// this holder's own release lowers High further, and its outcome may be unknown; or a
// clone's, until the clone is fenced by a write that it does not know of.
func (h *holder) leastHigh() (tick int64, sure bool) {
	tick = h.acked
	for _, w := range h.unknown {
		if w.Release {
			tick = min(tick, w.High)
		}
	}
	return tick, h.latest != nil
}

// fenced is an error that is also an ErrFenced.
type fenced struct{ error }

func (e fenced) Unwrap() error      { return e.error }
func (fenced) Is(target error) bool { return target == ErrFenced }

// end is when a tick ends, for messages, as stamp is a time.
func end(p store.Pool, tick int64) string { return stamp(grants.Start(p, tick+1)) }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// holderOf names who holds a row or held it last, for messages.
func holderOf(r store.Row) string {
	if r.Owner == "" {
		return "an unnamed owner"
	}
	return strconv.Quote(r.Owner)
}

// stranded is why the holder should go on with another worker id: nothing is left, and
// nothing will be granted for more than a window, since the store's clock was ahead when
// something was asked for that a clone may have got.
func (h *holder) stranded(v store.View) error {
	if len(h.spans) > 0 || h.cloned <= grants.Last(v)+h.pool.Window() {
		return nil
	}
	return fmt.Errorf("%w: the store's was set back, and what a copy of this process may have been "+
		"granted ends at %s", ErrClock, end(v.Pool, h.cloned))
}

// wrote takes in the answer to a write. One that was not applied stays unknown: the network
// may have repeated it, and this may be the second answer.
func (h *holder) wrote(w store.Write, applied bool, err error) {
	h.missed = h.doubt && !applied && err == nil
	if applied {
		h.acknowledge(w, nil)
	}
}

// acknowledge notes that w is in the row, or was before a later write of ours, and grants
// what it adds.
func (h *holder) acknowledge(w store.Write, later []store.Write) {
	h.nonce, h.unknown, h.doubt = w.Nonce, slices.Clone(later), false
	if !slices.Contains(h.shared, w.Nonce) {
		h.latest = &w
	}
	if w.Release {
		h.acked = w.High
		return
	}
	if w.High <= h.acked {
		return
	}
	// Above everything granted before, to this process, to others, or to a clone (I5),
	// and in a new epoch not below the floor that the write compared (I7).
	s := span{max(h.acked+1, h.cloned+1, w.Floor, h.floor), w.High}
	h.acked = w.High
	if s.lo > s.hi {
		return
	}
	if n := len(h.spans); n > 0 && h.spans[n-1].hi+1 == s.lo {
		h.spans[n-1].hi = s.hi
		return
	}
	h.spans = append(h.spans, s)
}

// due returns the write that the row needs now, and false for none: for a longer grant when
// less than half a window is left above cursor, as a heartbeat, or to check a doubtful view.
// Each write asks for all that the store may grant (I6), so that a heartbeat saves the next
// extension.
func (h *holder) due(v store.View, cursor int64, beat bool, nonce store.Nonce) (store.Write, bool) {
	high := max(h.acked, grants.Last(v))
	if !beat && !h.doubt && !(h.low(cursor) && high > h.acked) {
		return store.Write{}, false
	}
	return h.write(v, store.Write{Nonce: nonce, High: high}), true
}

// last is the last tick that is granted; if none is, the last acknowledged. In a new epoch
// it may be lower than what is acknowledged, with the floor in between.
func (h *holder) last() int64 {
	if n := len(h.spans); n > 0 {
		return h.spans[n-1].hi
	}
	return h.acked
}

// enough is the last tick above which half a window or more is granted.
func (h *holder) enough() int64 { return h.last() - h.pool.Window()/2 }

// low reports whether less than half a window is left, or nothing is granted.
func (h *holder) low(cursor int64) bool {
	return len(h.spans) == 0 || cursor > h.enough()
}

// needy reports whether a generator is near the end of what is granted, however little
// that is.
func (h *holder) needy(cursor int64) bool {
	if len(h.spans) == 0 {
		return true
	}
	s := h.spans[len(h.spans)-1]
	return cursor > s.hi-min((s.hi-s.lo+1)/4, h.pool.Window()/64)
}

// worthwhile is how many more ticks a write must grant to be made before it is due as a
// heartbeat. pace is for a generator that is near the end.
func (h *holder) worthwhile(cursor int64, pace time.Duration) int64 {
	if h.needy(cursor) {
		return max(1, int64(pace/h.pool.Unit))
	}
	return h.pool.Window() / 2
}

// until is when the last span ends.
func (h *holder) until() time.Time { return grants.Start(h.pool, h.last()+1) }

// release is the write that gives the row back. last is the highest tick minted.
func (h *holder) release(v store.View, last int64, nonce store.Nonce) store.Write {
	high := max(last, h.first-1)
	if h.restores > 0 { // a clone may have minted what this process did not (I4)
		high = h.acked
		for _, w := range h.unknown {
			high = max(high, w.High)
		}
	}
	return h.write(v, store.Write{Nonce: nonce, High: high, Release: true})
}

// restore gives up the rest of every grant, since a clone of this process may be minting
// it, and what the writes under way may grant, since the clone may get their answers, too.
// Later grants begin above all of it (I5).
func (h *holder) restore() {
	h.spans, h.cloned = nil, h.asked
	h.latest, h.shared = nil, nil
	for _, w := range h.unknown {
		h.shared = append(h.shared, w.Nonce)
	}
	h.restores++
}
