package worker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// holder is what a process knows of its row, and what it may write there. It applies the rules
// of docs/leases.md to one worker id; that page also says why two holders never use the same
// tick. acquirer and keeper pass it what the store answered, and decide when to ask.
//
// Its invariants, with the numbers of the rules:
//
//	every span was acknowledged to this process                                 (I1)
//	spans are disjoint, and each lies above every earlier one                   (I5)
//	spans[i].hi <= acked <= row.High, as long as row.Nonce is the process's own (I2, I4)
//	cloned < spans[i].lo, and acked <= asked                                    (I5)
//
// and together with those of the next holder of the row:
//
//	old hi <= High < new lo, in one epoch
//	old hi <= old clock + window <= new clock + slack + window < floor <= new lo, otherwise
type holder struct {
	view store.View // the last view: every write compares its epoch and floor
	mine time.Time  // the store's time of the last view that showed the row as this holder's

	worker int64
	first  int64 // the first tick that was granted
	latest sent  // the last write that was acknowledged; initially, what the row showed
	// the writes sent since then and not acknowledged, in order, including the one under way; one
	// of them may be in the row (I3, I8)
	unknown []sent
	asked   int64  // the highest High ever sent
	acked   int64  // the highest High acknowledged
	cloned  int64  // a clone may have been granted ticks up to here: asked, as of the restore
	spans   []span // granted and not yet used up, in order

	doubt    bool  // the last view showed a foreign nonce; the view may be older than our writes
	missed   bool  // and the write after that view was not applied: the next view decides
	restores int64 // how often this process may have been cloned, and had to give up its grants (I5)
	lost     error
}

// sent is a write. If the process was restored since it was sent, a clone may know of it, too.
type sent struct {
	store.Write
	restores int64 // of the holder when the write was sent
}

type span struct{ lo, hi int64 }

// newHolder returns a holder that knows a row as a view shows it, and has written nothing.
func newHolder(v store.View, row store.Row, owner string, ttl time.Duration) holder {
	shown := store.Write{Nonce: row.Nonce, Owner: owner, TTL: ttl}
	return holder{view: v, mine: v.Now, worker: row.Worker, first: grants.Next(v, row),
		latest: sent{shown, -1}, asked: row.High, acked: row.High, cloned: row.High}
}

// grant returns what may be used now: the first span that does not end before tick, or the last.
func (h *holder) grant(tick int64) (lo, hi int64) {
	for len(h.spans) > 1 && tick > h.spans[0].hi {
		h.spans = h.spans[1:]
	}
	if len(h.spans) == 0 {
		return 0, -1
	}
	return h.spans[0].lo, h.spans[0].hi
}

// acquire returns the write that takes the row, whose next tick may be granted. It asks for all
// that the store may grant, as renew does (I6).
func (h *holder) acquire(nonce store.Nonce) store.Write {
	return h.write(store.Write{Nonce: nonce, High: grants.Last(h.view), Acquire: true})
}

// write completes a write that is about to be sent, based on the last view. The write is unknown,
// which means that it grants nothing, until its answer comes or a view shows its nonce (I8).
func (h *holder) write(w store.Write) store.Write {
	w.Pool, w.Epoch, w.Floor = h.view.Pool, h.view.Epoch, h.view.Floor
	w.Worker, w.Owner, w.TTL, w.Slack = h.worker, h.latest.Owner, h.latest.TTL, h.view.Slack
	w.Expect = []store.Nonce{h.latest.Nonce} // I3: to acquire, the nonce just read
	if n := len(h.unknown); n > 0 {
		w.Expect = append(w.Expect, h.unknown[n-1].Nonce)
	}
	if len(h.unknown) == maxUnknown {
		h.unknown = h.unknown[1:] // if that write is in the row, the holder is fenced needlessly
	}
	h.unknown = append(h.unknown, sent{w, h.restores})
	h.asked = max(h.asked, w.High)
	return w
}

// maxUnknown is how many writes without an answer are remembered.
const maxUnknown = 8

// see evaluates a view of the holder's row: it finds out what became of writes whose answers
// were lost, and notes in h.lost if the lease is lost.
func (h *holder) see(v store.View) {
	h.view = v
	if len(v.Rows) == 0 {
		h.lost = fmt.Errorf("%w: worker id %d", ErrDeleted, h.worker)
		return
	}
	row := v.Rows[0]
	i := slices.IndexFunc(h.unknown, func(w sent) bool { return w.Nonce == row.Nonce })
	switch {
	case row.Nonce == h.latest.Nonce:
		// An unknown write may still arrive; its nonce stays expected.
	case i >= 0:
		h.acknowledge(i)
	case !h.missed:
		h.doubt = true // the view may be older than our writes: the next view decides
		return
	default:
		h.fence(row)
		return
	}
	h.doubt, h.missed, h.mine = false, false, v.Now
	if h.lost = h.stranded(); row.High < h.acked { // somebody edited it
		h.fence(row)
	}
}

// fence notes that the row no longer belongs to this holder, and drops what was granted, unless
// the row was made again (I8).
func (h *holder) fence(row store.Row) {
	spans := h.spans
	h.spans = nil
	if least, sure := h.leastHigh(); sure && row.Open && row.High < least &&
		(h.view.Epoch == h.latest.Epoch || h.view.Floor <= least) {
		// The precision in %.0w leaves out the text of ErrFenced.
		h.lost = fmt.Errorf("%w: it shows that worker id %d was granted until %s, but it had "+
			"acknowledged %s: a backup was restored beside live processes, the store lost acknowledged "+
			"writes, or somebody edited the row. Ids that others were granted since may be duplicates. "+
			"This process deletes the rows of the layout, as `ringuid worker quarantine` does, before it "+
			"takes another worker id%.0w", ErrRolledBack, h.worker, end(h.view.Pool, row.High),
			end(h.view.Pool, least), ErrFenced)
		return
	}
	if row.Renewed.IsZero() {
		// Nobody has ever held this row, and this process held one: that was deleted, or lost in a
		// fail-over. What is granted with the new one begins above it, since the row is opened
		// above all that was granted, or High is not lower, or the floor is above.
		h.spans, h.lost = spans, fmt.Errorf("%w, or lost in a fail-over, and made again: worker id %d",
			ErrDeleted, h.worker)
		return
	}
	has, copied := "is free, and was last held", ""
	switch {
	case row.Held:
		has = "is held"
	case row.Owner == h.latest.Owner:
		has = "is free, as after `ringuid worker release` or `steal`, and was last held"
	}
	if row.Held && row.Owner == h.latest.Owner && h.view.Now.Sub(h.mine) < h.latest.TTL {
		copied = ". The owner is the same, and the lease had not expired: if nobody typed `ringuid " +
			"worker steal` or restored a backup, this machine or process was copied, and both copies may " +
			"have made the same ids until now: set Config.Generation, or call AfterRestore in each copy"
	}
	h.lost = fmt.Errorf("%w: worker id %d %s by %s, written %s%s", ErrFenced, h.worker, has,
		holderOf(row), stamp(row.Renewed), copied)
}

// leastHigh returns a tick that High cannot be below, whichever process has the row now,
// unless the store lost an acknowledged write (I4). Other processes take over the row at High
// or above, and release it at the tick before their first one or later, so again at High or
// above. Only two releases lower High further: this holder's own, whose outcome may be
// unknown, and a clone's, until the clone is fenced by a write that it does not know of.
func (h *holder) leastHigh() (tick int64, sure bool) {
	tick = h.acked
	for _, w := range h.unknown {
		if w.Release {
			tick = min(tick, w.High)
		}
	}
	return tick, h.latest.restores == h.restores
}

// end returns the time at which a tick ends, formatted for messages as by stamp.
func end(p store.Pool, tick int64) string { return stamp(grants.Start(p, tick).Add(p.Unit)) }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// holderOf returns the owner that holds a row or held it last, for messages.
func holderOf(r store.Row) string {
	if r.Renewed.IsZero() {
		return "nobody yet"
	}
	return strconv.Quote(r.Owner)
}

// stranded returns why the holder should continue with another worker id: nothing is left, and
// it takes more than a window until anything can be granted, since the store's clock was ahead
// when ticks were asked for that a clone may have been granted.
func (h *holder) stranded() error {
	if len(h.spans) > 0 || h.cloned <= grants.Last(h.view)+h.view.Window() {
		return nil
	}
	return fmt.Errorf("%w: the store's was set back, and what a copy of this process may have been "+
		"granted ends at %s", ErrClock, end(h.view.Pool, h.cloned))
}

// wrote takes in the answer to the last write. A write that was not applied stays unknown: the
// network may have repeated it, and this may be the second answer.
func (h *holder) wrote(applied bool, err error) {
	h.missed = h.doubt && !applied && err == nil
	if applied {
		h.acknowledge(len(h.unknown) - 1)
	}
}

// acknowledge notes that an unknown write is in the row, or was there before a later write of
// ours, and grants what it adds.
func (h *holder) acknowledge(i int) {
	w := h.unknown[i]
	h.latest, h.unknown, h.doubt = w, h.unknown[i+1:], false
	if w.Release {
		h.acked = w.High
		return
	}
	// The span lies above everything granted before, to this process, to others, or to a clone
	// (I5); in a new epoch, it does not lie below the floor that the write compared (I7).
	s := span{max(h.first, h.acked+1, h.cloned+1, w.Floor, h.view.Floor), w.High}
	h.acked = max(h.acked, w.High)
	switch n := len(h.spans); {
	case s.lo > s.hi:
	case n > 0 && h.spans[n-1].hi+1 == s.lo:
		h.spans[n-1].hi = s.hi
	default:
		h.spans = append(h.spans, s)
	}
}

// renew returns the write that renews the row. It grants no more than a window above this
// machine's clock either, so that a store whose clock is ahead blocks no ticks.
func (h *holder) renew(nonce store.Nonce, wall time.Time) store.Write {
	return h.write(store.Write{Nonce: nonce, High: max(h.acked, h.last(wall))})
}

// last returns the last tick that a renewal may be granted.
func (h *holder) last(wall time.Time) int64 {
	return min(grants.Last(h.view), h.view.TickAt(wall)+h.view.Window())
}

// low returns the tick from which on a generator counts as near the end of what is granted,
// however little that is.
func (h *holder) low() int64 {
	if len(h.spans) == 0 {
		return noTick
	}
	s := h.spans[len(h.spans)-1]
	return s.hi + 1 - min((s.hi-s.lo+1)/4, h.view.Window()/64)
}

// usedUp reports whether a generator that wants tick has used all that was granted.
func (h *holder) usedUp(tick int64) bool {
	n := len(h.spans)
	return n == 0 || tick > h.spans[n-1].hi
}

// granted returns the last tick of the last span or, if there is none, the last acknowledged one.
// The two may differ: a write that stayed below the floor of a new epoch adds no span.
func (h *holder) granted() int64 {
	if n := len(h.spans); n > 0 {
		return h.spans[n-1].hi
	}
	return h.acked
}

// until returns when the tick that granted returns ends.
func (h *holder) until() time.Time { return grants.Start(h.view.Pool, h.granted()+1) }

// release returns the write that gives the row back. last is the highest tick used.
func (h *holder) release(last int64, nonce store.Nonce) store.Write {
	high := max(last, h.first-1)
	if h.restores > 0 { // a clone may have used what this process did not (I4)
		high = h.asked
	}
	return h.write(store.Write{Nonce: nonce, High: high, Release: true})
}

// restore gives up the rest of every grant, since a clone of this process may be using it. It
// also gives up what the writes under way may grant, since the clone may get their answers,
// too. Later grants begin above all of it (I5).
func (h *holder) restore() {
	h.spans, h.cloned = nil, h.asked
	h.restores++
}

// giveUp ends the lease of a process that was told that it is a copy: it leaves the row to the
// others that know its nonce, and writes it no more. Of the writes under way nothing is granted.
func (h *holder) giveUp() {
	h.restore()
	h.lost = cmp.Or(h.lost, fmt.Errorf("%w: worker id %d%.0w", errCopied, h.worker, ErrFenced))
}

// errCopied is wrapped by Lease.Err after AfterRestore.
var errCopied = errors.New("worker: the process is a copy, and gave up its lease")
