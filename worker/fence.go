package worker

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// fence drops what was granted: the row is not this holder's any more (I8).
func (h *holder) fence(v store.View, row store.Row) {
	h.spans = nil
	if certain, sure := h.certain(); sure && row.High < certain && (v.Epoch == h.under.Epoch || v.Floor <= certain) {
		h.lost = fenced{fmt.Errorf("%w: %q shows worker id %d granted until %s, and had acknowledged %s: a backup was restored beside live holders, or writes were lost. "+
			"What others were granted since may come twice. This process takes no worker id before the namespace was quarantined, and does that now",
			ErrRolledBack, v.Name, h.worker, stamp(v.Start(row.High+1)), stamp(v.Start(certain+1)))}
		return
	}
	has := "is free, and was last held"
	if row.Held {
		has = "is held"
	}
	h.lost = fmt.Errorf("%w: worker id %d %s by %s, written %s", ErrFenced, h.worker, has, holderOf(row), stamp(row.Renewed))
}

// certain is a tick below which High cannot be, whoever has the row now, unless the
// store forgot something (I4): others take the row over at High or above, and what
// they release it at is at least the tick before the first of theirs, so High again.
// Only a release of one's own lowers it further, and its outcome may be unknown; and
// one of a twin's, until a write that the twin does not know of has fenced it.
func (h *holder) certain() (tick int64, sure bool) {
	tick = h.acked
	for _, w := range h.unknown {
		if w.Release {
			tick = min(tick, w.High)
		}
	}
	return tick, h.under != nil
}

// warn tells a claim what its holder was shown of a store that went back in time.
func (h *holder) warn(p *past) {
	if errors.Is(h.lost, ErrRolledBack) && h.under != nil {
		p.distrust(h.under.Floor, h.asked)
	}
}

// fenced is an error that is an ErrFenced, too.
type fenced struct{ error }

func (e fenced) Unwrap() error      { return e.error }
func (fenced) Is(target error) bool { return target == ErrFenced }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// holderOf is who holds a row or held it last, for messages.
func holderOf(r store.Row) string {
	if r.Owner == "" {
		return "somebody without a name"
	}
	return strconv.Quote(r.Owner)
}
