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

// defaultWorkerIDs is how many rows are created for a claim that does not name its worker ids.
const defaultWorkerIDs = 1024

// names reports whether the claim names its worker ids.
func (c *Claim) names() bool { return c.Count != 0 }

// claimed returns the worker ids that a claim may take: those that it names, or all of the layout.
func (c *Claim) claimed(n Need) (first, last int64) {
	if !c.names() {
		return 0, n.MaxID
	}
	return c.First, c.First + c.Count - 1
}

// span returns those claimed worker ids that should have rows: all that the claim names, or
// else 1024 of them, but none that Disposable may have given out.
//
// Where keys are given out, the 1024 are the last of the layout, and at most the upper half of
// those that are left. So the next keys have no rows: processes with keys, even Java's, which do
// not look for rows, may start beside those with leases until half of the keys are used up.
//
// An open row at or below View.Keys is a different matter, and may be taken. It was opened after a
// view that showed it and a key counter below it, and the counter is read after the rows. From
// that moment on, a process of Disposable that gets this key sees the row and refuses to
// start. So the key was skipped: by such a process, by an operator who set the counter, or by
// a database that skips keys when it restarts.
func (c *Claim) span(v store.View, n Need) (first, last int64) {
	first, last = c.claimed(n)
	if v.Keys != 0 {
		first = max(first, v.Keys+1)
	}
	switch {
	case c.names():
	case v.Keys == 0:
		last = min(last, defaultWorkerIDs-1)
	default:
		first = max(first, last+1-min(defaultWorkerIDs, (last-first+2)/2))
	}
	return first, last
}

// serves returns an error if the view that was just read does not fit the layout or this claim.
func (p *caller) serves(v store.View) error {
	first, last := p.c.span(v, p.need)
	if first > last && !slices.ContainsFunc(v.Rows, func(r store.Row) bool { return r.Open }) {
		first, last = new(Claim).span(v, p.need)
		if first > last {
			return fmt.Errorf("%w: worker.Disposable has given out the worker ids up to %d, and the "+
				"layout holds 0 to %d: take a layout with more worker ids (`ringuid migrate` says from "+
				"when on); or, if the ids of both never meet, another database", ErrOverlap, v.Keys,
				p.need.MaxID)
		}
		return fmt.Errorf("%w: worker.Disposable has given out the worker ids up to %d: claim %d to "+
			"%d (First %[3]d, Count %[5]d); or, if the ids of both never meet, use another database",
			ErrOverlap, v.Keys, first, last, last-first+1)
	}
	if err := p.agree(v); err != nil {
		return err
	}
	if v.Unreadable != nil {
		return fmt.Errorf("%w: stop all processes that use them, and type `ringuid worker quarantine "+
			"--store URL --unreadable`", v.Unreadable)
	}
	for other, row := range v.Others {
		// Two layouts can make the same id.
		until := grants.Start(other, row.High).Add(other.Unit)
		if row.Open && until.After(v.Now) && !p.c.AllowOtherLayouts {
			return fmt.Errorf("%w: this process's layout is %s, and layout %s has worker ids there: %d "+
				"is granted until %s, to %s. Correct the layout; or, if `ringuid migrate` finds it safe, stop "+
				"all its processes and wait until then; or, if their ids never meet, set "+
				"Claim.AllowOtherLayouts",
				ErrOtherLayout, layoutName(v.Layout), layoutName(other.Layout), row.Worker, stamp(until),
				holderOf(row))
		}
	}
	return nil
}

func layoutName(print string) string { return fingerprint.Layout(print) }

// choose returns the best of the rows that may be taken over. If there is none, it returns why, and
// when the first of the rows that no process holds may be taken, if there are such rows.
func (c Claim) choose(at moment, v store.View) (best store.Row, until time.Time, none error) {
	var live, free, later []store.Row
	for _, row := range v.Rows {
		switch _, ahead := grants.NotBefore(v, row); {
		case !row.Open:
		case grants.Live(v, row):
			live = append(live, row)
		case ahead:
			later = append(later, row)
		default:
			free = append(free, row)
		}
	}
	if len(free) == 0 {
		until, none = c.noneFree(v, live, later)
		return best, until, none
	}
	shuffle(free, at.nonce)
	now := v.TickAt(v.Now)
	from := func(r store.Row) int64 { return max(grants.Next(v, r), now) }
	return slices.MinFunc(free, func(a, b store.Row) int {
		return cmp.Or(cmp.Compare(from(a), from(b)), preferences[c.Prefer](a, b, c.Owner))
	}), until, nil
}

// shuffle puts all in the order that random determines.
func shuffle[T any](all []T, random store.Nonce) {
	by := rand.New(rand.NewChaCha8([32]byte(append(random[:], random[:]...))))
	by.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// noneFree returns when the first row may be taken, and an error that says how many rows there are.
func (c *Claim) noneFree(v store.View, held, later []store.Row) (until time.Time, none error) {
	all := len(held) + len(later)
	var why []string
	if all == 0 {
		why = append(why, "there are no rows that may be taken: create them with `ringuid worker "+
			"init --store URL --layout LAYOUT`, or let the claim do it")
	}
	if len(held) > 0 {
		first := slices.MinFunc(held, func(a, b store.Row) int { return a.Expires.Compare(b.Expires) })
		last := slices.MaxFunc(held, func(a, b store.Row) int { return a.Renewed.Compare(b.Renewed) })
		// The first lease may be that of a process that lives: who was killed, people know.
		advice := "if a process was killed, wait until its lease ends, or look with `ringuid worker list " +
			"--store URL --assigner leased` which worker id N it has, and type `ringuid worker steal N " +
			"--store URL`; else stop a process, or claim more worker ids (Claim.Count)"
		// A renewal at a time that the store's clock has yet to reach proves that the clock was
		// ahead. Stopping a process does not help then.
		if last.Renewed.After(v.Now.Add(v.Slack)) {
			advice = fmt.Sprintf("worker id %d was renewed in the future, at %s, so a clock was wrong: %s",
				last.Worker, stamp(last.Renewed), askQuarantine)
		}
		why = append(why, fmt.Sprintf("%d of %d are held, and the first lease, that of worker id %d of "+
			"%s, ends at %s: %s", len(held), all, first.Worker, holderOf(first), stamp(first.Expires),
			advice))
	}
	if len(later) > 0 {
		next := func(r store.Row) int64 { return grants.Next(v, r) }
		row := slices.MinFunc(later, func(a, b store.Row) int { return cmp.Compare(next(a), next(b)) })
		until, _ = grants.NotBefore(v, row)
		why = append(why, fmt.Sprintf("%d of %d cannot be taken yet: the first can be taken at %s, and "+
			"the store's clock shows %s: %s", len(later), all, stamp(until), stamp(v.Now),
			whyLater(v, row)))
	}
	if closed := len(v.Rows) - all; closed > 0 && c.ExistingOnly {
		why = append(why, fmt.Sprintf("%d more are there that only a claim without ExistingOnly opens, "+
			"or `ringuid worker init --store URL --layout LAYOUT`", closed))
	}
	return until, fmt.Errorf("%w: %s", ErrAllHeld, strings.Join(why, "; "))
}

// whyLater says why a row cannot be taken yet.
func whyLater(v store.View, row store.Row) string {
	floor := row // a floor that the store's clock had when it was ahead
	floor.High, v.Floor = max(row.High, v.Floor-1), min(v.Floor, row.High)
	switch isNew := row.Renewed.IsZero(); {
	case grants.IsAhead(v, row):
		return fmt.Sprintf("worker id %d was granted until %s to %s, so a clock was wrong: %s",
			row.Worker, end(v.Pool, row.High), holderOf(row), askQuarantine)
	case grants.IsAhead(v, floor):
		return fmt.Sprintf("what the store granted may end at %s, so a clock was wrong: %s",
			end(v.Pool, floor.High), askQuarantine)
	case row.High < floor.High && !isNew:
		return "the store failed over, restarted or was restored, and grants that it may have lost " +
			"end before that"
	case isNew:
		return "it is new, and begins after everything that an earlier row can have been granted"
	}
	return "its last holder used all that may be granted ahead of time"
}

// askQuarantine is what helps where a clock was ahead.
const askQuarantine = "correct it. At the time above this ends by itself; `ringuid worker " +
	"quarantine --store URL` says what can be done before"
