package worker

import (
	"fmt"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// fence drops what was granted: the row no longer belongs to this holder (I8).
func (h *holder) fence(v store.View, row store.Row) {
	h.spans = nil
	if least, sure := h.leastHigh(); sure && row.Open && row.High < least &&
		(v.Epoch == h.latest.Epoch || v.Floor <= least) {
		h.lost = fenced{fmt.Errorf(
			"%w: it shows that worker id %d was granted until %s, but it had acknowledged %s: "+
				"a backup was restored beside live processes, or the store lost acknowledged writes. "+
				"Ids that others were granted since may be duplicates. This process deletes the rows of the "+
				"layout, as `uidbench worker quarantine` does, before it takes another worker id",
			ErrRolledBack, h.worker, stamp(grants.Start(v.Pool, row.High+1)),
			stamp(grants.Start(v.Pool, least+1)))}
		return
	}
	has := "is free, and was last held"
	if row.Held {
		has = "is held"
	}
	h.lost = fmt.Errorf("%w: worker id %d %s by %s, written %s", ErrFenced, h.worker, has,
		holderOf(row), stamp(row.Renewed))
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

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// holderOf names who holds a row or held it last, for messages.
func holderOf(r store.Row) string {
	if r.Owner == "" {
		return "an unnamed owner"
	}
	return strconv.Quote(r.Owner)
}
