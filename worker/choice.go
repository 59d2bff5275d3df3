package worker

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// defaultWorkerIDs is how many rows a claim creates that does not say which.
const defaultWorkerIDs = 1024

// span is the worker ids that shall have rows: those of the claim, or the first 1024, and none
// that Disposable may have given out.
//
// A row that is open below View.Keys is another matter, and may be taken. It was opened after
// a view that showed it, and a key counter below it, which is read after the rows. From that
// moment on a process of Disposable that gets this key sees the row, and refuses. So the key
// was passed over: by such a process, by an operator who set the counter, or by a database
// that skips keys when it restarts.
func (c *Claim) span(v store.View, n Need) (first, last int64) {
	if v.Keys > 0 {
		first = v.Keys + 1
	}
	if c.First != 0 || c.Last != 0 {
		return max(first, c.First), c.Last
	}
	return first, min(first+defaultWorkerIDs-1, n.MaxID)
}

// unclaimable reports whether Disposable may have given out a worker id that this claim names,
// or all of the layout.
func (c *Claim) unclaimable(v store.View, n Need) bool {
	var open int64 // of those that Disposable may have given out
	for _, r := range v.Rows {
		if r.Open && r.Worker <= v.Keys {
			open++
		}
	}
	switch {
	case v.Keys == 0:
		return false
	case c.First == 0 && c.Last == 0:
		return v.Keys >= n.MaxID && open == 0
	}
	return open < min(c.Last, v.Keys)-c.First+1
}

// serves returns why a view does not fit a layout or this claim. The view came now, this
// long after it was asked for.
func (c *Claim) serves(at moment, took time.Duration, v store.View, n Need) error {
	switch skew := apart(at.wall, took, v.Now); {
	case c.unclaimable(v, n):
		return fmt.Errorf("%w: worker.Disposable has given out the worker ids up to %d: claim others "+
			"(First %d, Last %d), or, if the layout holds no more than %d, keep the ids apart in another "+
			"database", ErrOverlap, v.Keys, v.Keys+1, min(v.Keys+defaultWorkerIDs, n.MaxID), n.MaxID)
	case int64(skew/v.Unit) >= v.Window():
		return fmt.Errorf("%w: by %v, where %v is allowed: this machine shows %s, the store %s: "+
			"correct the one that is wrong",
			ErrClock, skew.Round(time.Millisecond), time.Duration(v.Window())*v.Unit, stamp(at.wall),
			stamp(v.Now))
	}
	return nil
}

// others reports whether a place has rows of other layouts. Its error wraps ErrLayout as long
// as one of them may still have ids: two layouts can make the same id.
func (c *Claim) others(v store.View) (bool, error) {
	if c.AllowOtherLayouts {
		return false, nil
	}
	var other store.Pool // which is granted furthest
	var latest time.Time
	for p, row := range v.Others {
		if until := grants.Start(p, row.High+1); row.Open && until.After(latest) {
			other, latest = p, until
		}
	}
	if !latest.After(v.Now) {
		return len(v.Others) > 0, nil
	}
	row := v.Others[other]
	return true, fmt.Errorf("%w: this process's layout is %s, and layout %s has worker ids there: "+
		"%d is granted to %s until %s. Correct the layout; or keep the two apart, with another table "+
		"or prefix, or with Claim.AllowOtherLayouts if their ids never meet", ErrLayout,
		layoutName(v.Layout), layoutName(other.Layout), row.Worker, holderOf(row), stamp(latest))
}

func layoutName(print string) string { return fingerprint.Layout(print) }

// apart is by how much this machine's clock and another one differ at least, of which the
// other showed its time during the last while: who takes long to answer is slow, and its
// clock may be right.
func apart(wall time.Time, while time.Duration, shown time.Time) time.Duration {
	return max(0, wall.Add(-while).Sub(shown), shown.Sub(wall))
}

// choose returns the best of the rows that may be taken over.
func (c Claim) choose(at moment, v store.View) (store.Row, *noRow) {
	var live, free, parked []store.Row
	for _, row := range v.Rows {
		switch _, ahead := grants.Parked(v, row); {
		case !row.Open:
		case grants.Live(v, row):
			live = append(live, row)
		case ahead:
			parked = append(parked, row)
		default:
			free = append(free, row)
		}
	}
	if len(free) == 0 {
		return store.Row{}, c.noneFree(v, live, parked)
	}
	return best(v, free, c, at.nonce), nil
}

// Preference compares two rows that may be taken, as cmp.Compare does: below zero if the process
// that is called owner prefers a. It decides who gets which worker id, never whether that is
// safe: any row is taken over by one compare-and-set, and its grant begins above everything
// that was granted before.
//
// So the grant of a row that was in use a moment ago begins in the future: with ticks of a
// day, up to a day from now. [Leased] takes the preferred one of the rows whose grant may begin
// now, or, if there is none, of those whose grant begins soonest. Of equal ones it takes any, so
// that processes which start at the same time do not all try the same row.
type Preference func(a, b store.Row, owner string) int

// best is the row to take.
func best(v store.View, rows []store.Row, c Claim, random store.Nonce) store.Row {
	shuffle(rows, random)
	now := v.TickAt(v.Now)
	from := func(r store.Row) int64 { return max(grants.Next(v, r), now) }
	return slices.MinFunc(rows, func(a, b store.Row) int {
		return cmp.Or(cmp.Compare(from(a), from(b)), c.Prefer(a, b, c.Owner))
	})
}

// shuffle shuffles as random bits decide.
func shuffle[T any](all []T, random store.Nonce) {
	by := rand.New(rand.NewChaCha8([32]byte(append(random[:], random[:]...))))
	by.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// spread prefers the row that the owner held last, then rows granted least far ahead.
func spread(a, b store.Row, owner string) int {
	ofOwner := func(r store.Row) int {
		if owner != "" && r.Owner == owner {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(ofOwner(a), ofOwner(b)), cmp.Compare(a.High, b.High))
}

// noRow is why no row may be taken. A row that is parked, and that nobody holds, may be at a
// known time by the store's clock.
type noRow struct {
	error
	parked bool
	until  time.Time // something may change then
	next   int64     // the first tick of the parked row that may be taken first
}

// noneFree says how many rows there are, and when the first may be taken.
func (c *Claim) noneFree(v store.View, live, parked []store.Row) *noRow {
	all := len(live) + len(parked)
	if all == 0 {
		return &noRow{error: fmt.Errorf("%w: there are no rows that may be taken: create them with "+
			"`uidbench worker init`, or let the claim do it", ErrAllHeld)}
	}
	none := noRow{parked: len(parked) > 0}
	var why []string
	if len(live) > 0 {
		first := slices.MinFunc(live, func(a, b store.Row) int { return a.Expires.Compare(b.Expires) })
		none.until = first.Expires
		why = append(why, fmt.Sprintf("%d of %d are held by live processes, and the first lease ends at "+
			"%s: %s", len(live), all, stamp(none.until), c.adviceOnHeld(v, live)))
	}
	if none.parked {
		row := slices.MinFunc(parked,
			func(a, b store.Row) int { return cmp.Compare(grants.Next(v, a), grants.Next(v, b)) })
		until, _ := grants.Parked(v, row)
		if len(live) == 0 || until.Before(none.until) {
			none.until = until
		}
		none.next = grants.Next(v, row)
		why = append(why, fmt.Sprintf("%d of %d cannot be taken yet: the first can be taken at %s, and "+
			"the store's clock shows %s: %s", len(parked), all, stamp(until), stamp(v.Now),
			c.whyParked(v, row)))
	}
	none.error = fmt.Errorf("%w: %s", ErrAllHeld, strings.Join(why, "; "))
	return &none
}

// whyParked says why a row cannot be taken yet.
func (c *Claim) whyParked(v store.View, row store.Row) string {
	switch {
	case row.High < v.Floor && !row.Renewed.IsZero():
		return "the store failed over or restarted, and grants that it may have lost end before that"
	case row.Renewed.IsZero() && row.High < c.soonest(v): // it was opened a moment ago
		return "it is new, and begins after everything that an earlier row can have been granted"
	case row.High <= grants.Last(v)+1:
		return "its last holder used all that may be granted ahead of time"
	}
	return fmt.Sprintf("worker id %d was granted until %s to %s, so a clock was wrong, its own or "+
		"the store's. Correct it; to continue before that, delete the rows with `uidbench worker "+
		"quarantine`", row.Worker, end(v.Pool, row.High), holderOf(row))
}

// adviceOnHeld is what to do about rows that are held. A renewal that the store's clock has yet to
// reach proves that the clock was ahead: then it is no process that has to be stopped.
func (c *Claim) adviceOnHeld(v store.View, held []store.Row) string {
	wrong := slices.DeleteFunc(slices.Clone(held), func(r store.Row) bool {
		return !r.Renewed.After(v.Now.Add(c.slack(v)))
	})
	if len(wrong) == 0 {
		return "stop a process, or claim more worker ids"
	}
	return fmt.Sprintf("%d of them were renewed in the future, such as worker id %d at %s, so a "+
		"clock was wrong: correct it; `uidbench worker quarantine` ends these leases", len(wrong),
		wrong[0].Worker, stamp(wrong[0].Renewed))
}

// longestLook is how long the rows are not looked at again, at most: one may be released,
// or added, and the store's clock may be set.
const longestLook = 5 * time.Second

// wait is how long to wait before the rows are looked at again: a little longer than until
// the first may be taken, by a random time, since all who wait for it wake up then.
func (none *noRow) wait(now time.Time, random store.Nonce) time.Duration {
	return min(max(0, none.until.Sub(now)), longestLook) +
		time.Millisecond + time.Duration(random[0])*time.Millisecond/4
}

// openingLag bounds how far the clock of a view may lie behind the time by which a row was
// opened a moment before: that one is the latest that the store's clock can have shown, and
// some stores show whole seconds.
const openingLag = 2 * time.Second

// soonest is the first tick of a row that is opened now.
func (c *Claim) soonest(v store.View) int64 {
	return grants.Opening(v.Pool, v.Now.Add(openingLag), c.slack(v)) + 1
}
