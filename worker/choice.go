package worker

import (
	"fmt"
	"time"
)

// serves says what keeps a namespace from serving a layout and this claim.
func (c Claim) serves(v View, n Need) error {
	switch skew := c.clock.wall().Sub(v.Now).Abs(); {
	case v.Fingerprint != n.Fingerprint:
		return fmt.Errorf("%w: %q holds worker ids for layout %s, this is %s: use one namespace per layout", ErrNamespace, v.Name, v.Fingerprint, n.Fingerprint)
	case v.Unit != n.Unit:
		return fmt.Errorf("%w: %q counts ticks of %v, this layout's are %v", ErrNamespace, v.Name, v.Unit, n.Unit)
	case v.Last > n.MaxID && c.Last == 0:
		return fmt.Errorf("%w: %q has worker ids up to %d, the layout holds 0 to %d", ErrRange, v.Name, v.Last, n.MaxID)
	case c.Last > n.MaxID:
		return fmt.Errorf("%w: the claim asks for worker ids up to %d, the layout holds 0 to %d", ErrRange, c.Last, n.MaxID)
	case c.Last > 0 && (c.First < v.First || c.Last > v.Last):
		return fmt.Errorf("%w: worker ids %d to %d, and %q has rows for %d to %d", ErrClaim, c.First, c.Last, v.Name, v.First, v.Last)
	case len(v.Rows) == 0:
		return fmt.Errorf("%w: %q has no rows for worker ids %d to %d", ErrNoNamespace, v.Name, c.First, c.Last)
	case v.Window < 2:
		return fmt.Errorf("%w: %q grants %d ticks at a time, too few to renew in time: make it with 2 or more", ErrNamespace, v.Name, v.Window)
	case int64(skew/v.Unit) >= v.Window:
		return fmt.Errorf("%w: by %v, and a grant reaches %v: set the clocks (the store shows %s)",
			ErrClock, skew.Round(time.Millisecond), time.Duration(v.Window)*v.Unit, v.Now.UTC().Format(time.RFC3339))
	}
	return nil
}

// choose prepares the write that takes over the best row.
func (a *leased) choose(h *holder, v View) (Row, Write, error) {
	var free []Row
	var parked int
	soonest := time.Time{}
	for _, row := range v.Rows {
		switch {
		case row.Held && row.Expires.After(v.Now):
			if soonest.IsZero() || row.Expires.Before(soonest) {
				soonest = row.Expires
			}
		case v.begin(row) > tick(v.Now, v.Unit)+v.Window:
			parked++
		default:
			free = append(free, row)
		}
	}
	if len(free) == 0 {
		return Row{}, Write{}, noneFree(v, parked, soonest)
	}
	preferred := a.claim.Order(free, a.claim)
	if len(preferred) == 0 {
		return Row{}, Write{}, fmt.Errorf("%w: its Order keeps none of the %d worker ids of %q that may be taken: return them all, sorted", ErrClaim, len(free), v.Name)
	}
	row := earliest(v, preferred)
	w, _ := h.acquire(v, row, a.claim.nonce())
	return row, w, nil
}

// begin is the first tick of a new grant of a row: behind everything that was
// granted of it (I5), and not below the floor of the epoch (I7).
func (v View) begin(r Row) int64 { return max(r.High+1, v.Floor) }

func noneFree(v View, parked int, soonest time.Time) error {
	switch held := len(v.Rows) - parked; {
	case held == 0:
		return fmt.Errorf("%w: all %d of %q are granted further ahead than %d ticks from the store's now, %s: wait a moment if holders have just used their windows up, else its clock was set back, or a grant poisoned by a fast clock has to pass",
			ErrAllHeld, parked, v.Name, v.Window, v.Now.UTC().Format(time.RFC3339))
	default:
		return fmt.Errorf("%w: %d of the %d in %q are held by live holders, %d wait for their time; the first may be recycled at %s: stop one, or make a larger namespace",
			ErrAllHeld, held, len(v.Rows), v.Name, parked, soonest.UTC().Format(time.RFC3339))
	}
}
