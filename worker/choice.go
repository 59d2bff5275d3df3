package worker

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/worker/store"
)

// serves returns why a namespace does not fit a layout or this claim. The view came
// now, this long after it was asked for.
func (c *Claim) serves(at moment, took time.Duration, v store.View, n Need) error {
	switch skew := apart(at.wall, took, v.Now); {
	case v.Fingerprint != n.Fingerprint:
		return fmt.Errorf("%w: %q holds worker ids for layout %s, this is %s: use one namespace per "+
			"layout", ErrNamespace, v.Name, fingerprint.Layout(v.Fingerprint),
			fingerprint.Layout(n.Fingerprint))
	case v.Unit != n.Unit:
		return fmt.Errorf("%w: %q counts ticks of %v, this layout's are %v", ErrNamespace, v.Name, v.Unit,
			n.Unit)
	case v.Last > n.MaxID && c.Last == 0:
		return fmt.Errorf("%w: %q has worker ids up to %d, the layout holds 0 to %d", ErrRange, v.Name,
			v.Last, n.MaxID)
	case c.Last > n.MaxID:
		return fmt.Errorf("%w: the claim asks for worker ids up to %d, the layout holds 0 to %d",
			ErrRange, c.Last, n.MaxID)
	case c.Last > 0 && (c.First < v.First || c.Last > v.Last):
		return fmt.Errorf("%w: worker ids %d to %d, and %q has rows for %d to %d", ErrClaim, c.First,
			c.Last, v.Name, v.First, v.Last)
	case len(v.Rows) == 0:
		return fmt.Errorf("%w: %q has no rows for worker ids %d to %d", ErrNoNamespace, v.Name, c.First,
			c.Last)
	case v.Window < 2:
		return fmt.Errorf("%w: %q grants %d ticks at a time, too few to renew in time: create one "+
			"with 2 or more", ErrNamespace, v.Name, v.Window)
	case int64(skew/v.Unit) >= v.Window:
		return fmt.Errorf("%w: by %v, where %v is allowed: this machine shows %s, the store %s: "+
			"correct the one that is wrong",
			ErrClock, skew.Round(time.Millisecond), time.Duration(v.Window)*v.Unit, stamp(at.wall),
			stamp(v.Now))
	}
	return nil
}

// apart is by how much this machine's clock and another one differ at least, of which the
// other showed its time during the last while: who takes long to answer is slow, and its
// clock may be right.
func apart(wall time.Time, while time.Duration, shown time.Time) time.Duration {
	return max(0, wall.Add(-while).Sub(shown), shown.Sub(wall))
}

// choose returns the best of the rows that may be taken over.
func (c Claim) choose(at moment, v store.View) (store.Row, error) {
	var free, parked []store.Row
	soonest := time.Time{}
	for _, row := range v.Rows {
		switch _, ahead := v.Parked(row); {
		case v.Live(row):
			if soonest.IsZero() || row.Expires.Before(soonest) {
				soonest = row.Expires
			}
		case ahead:
			parked = append(parked, row)
		default:
			free = append(free, row)
		}
	}
	if len(free) == 0 {
		return store.Row{}, noneFree(v, parked, soonest)
	}
	c.chance = at.nonce
	preferred := c.Order(free, c)
	if len(preferred) == 0 {
		return store.Row{}, fmt.Errorf(
			"%w: its Order returned none of the %d worker ids of %q that may be taken: it must return "+
				"them all, sorted", ErrClaim, len(free), v.Name)
	}
	row := earliest(v, preferred)
	if _, parked := v.Parked(row); parked || v.Live(row) {
		return store.Row{}, fmt.Errorf(
			"%w: its Order returned worker id %d of %q, which may not be taken", ErrClaim, row.Worker,
			v.Name)
	}
	return row, nil
}

// noneFree says how many rows there are, and when the first may be taken. soonest is when
// the first of the leases of live processes ends.
func noneFree(v store.View, parked []store.Row, soonest time.Time) error {
	held := len(v.Rows) - len(parked)
	text := fmt.Sprintf("%d of the %d in %q are held by live processes, and the first lease ends "+
		"at %s: stop a process, or add worker ids to the namespace",
		held, len(v.Rows), v.Name, stamp(soonest))
	if len(parked) == 0 {
		return fmt.Errorf("%w: %s", ErrAllHeld, text)
	}
	why, until := whyParked(v, parked)
	if held == 0 {
		text = fmt.Sprintf("all %d of %q cannot be taken yet: %s", len(parked), v.Name, why)
	} else {
		text += fmt.Sprintf("; %d cannot be taken yet: %s", len(parked), why)
		if soonest.Before(until) {
			until = soonest
		}
	}
	return &parkedError{fmt.Errorf("%w: %s", ErrAllHeld, text), until}
}

// parkedError is an ErrAllHeld that passes: by the store's clock, a row that nobody holds
// may be taken at a known time.
type parkedError struct {
	error
	until time.Time // something may change then
}

func (e *parkedError) Unwrap() error { return e.error }

// longestLook is how long the rows are not looked at again, at most: one may be released,
// or added, and the store's clock may be set.
const longestLook = 5 * time.Second

// wait is how long to wait before the rows are looked at again: a little longer than until
// the first may be taken, by a random time, since all who wait for it wake up then.
func (e *parkedError) wait(now time.Time, random store.Nonce) time.Duration {
	return min(max(0, e.until.Sub(now)), longestLook) +
		time.Millisecond + time.Duration(random[0])*time.Millisecond/4
}

// whyParked says when the first of the parked rows can be taken, and why not before.
func whyParked(v store.View, parked []store.Row) (why string, until time.Time) {
	row := slices.MinFunc(parked,
		func(a, b store.Row) int { return cmp.Compare(v.Next(a), v.Next(b)) })
	until, _ = v.Parked(row)
	from := fmt.Sprintf("the first can be taken at %s, and the store's clock shows %s", stamp(until),
		stamp(v.Now))
	switch ahead := row.High - v.MaxHigh(); {
	case row.High < v.Floor:
		return from + ": the floor was raised, after a fail-over, a restore or a quarantine", until
	case ahead <= store.SlackTicks(0, v.Unit):
		return from + ": other processes have just used up all that may be granted ahead of time, or " +
			"the namespace was just made", until
	default:
		return fmt.Sprintf("%s: worker id %d was granted until %s to %s, so a clock was wrong, its "+
			"own or the store's. Correct it; "+
			"to continue before that, add worker ids: `uidbench worker init` with a larger --workers "+
			"range (never delete and recreate the namespace)",
			from, row.Worker, stamp(v.Start(row.High+1)), holderOf(row)), until
	}
}
