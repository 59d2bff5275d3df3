package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Catalog is what a store can do for Init, which decides for all stores what is
// made. None of its methods repeats a write; Init can be done again whatever came
// of it.
type Catalog interface {
	// Clock is the time that writes go by, and whether it is the same one for all
	// writers.
	Clock(ctx context.Context) (now time.Time, shared bool, err error)

	// Namespace reads a namespace; one that is not there has no name. It wraps
	// ErrNamespace when its seal does not fit.
	Namespace(ctx context.Context, name string) (Namespace, error)

	// Namespaces reads all that are there.
	Namespaces(ctx context.Context) ([]Namespace, error)

	// Space reads the record of a layout's worker ids: its text, or nothing.
	Space(ctx context.Context, fingerprint string) (text string, err error)

	// ReplaceSpace writes the record durably if at that instant it is still old.
	ReplaceSpace(ctx context.Context, fingerprint, old, text string) (replaced bool, err error)

	// HighestKey is the highest that Disposable was given by this store; 0 where
	// there is none.
	HighestKey(ctx context.Context) (int64, error)

	// Quarantine is Store's.
	Quarantine(ctx context.Context, namespace string, floor int64) error

	// Make makes what is not there of a namespace: first its rows, free and at
	// High = floor-1, then itself, its worker ids or more of them.
	//
	// have is what Namespace has shown. Its floor stays as it is. Where it is not
	// there, floor is the new one's, or the tick behind the highest High of the
	// rows that are left, if that is later. The clock is asked when it is known
	// what there is to be made.
	//
	// The namespace is written if at that instant it is still have, and the record
	// of the layout still space. False: one of them is another, and nothing is to be
	// relied on but that rows were made at most.
	Make(ctx context.Context, n, have Namespace, space string, floor func(now time.Time) int64) (made bool, err error)
}

// Init is Store.Init of the store whose catalog c is. First the record of the layout
// shows that n is being made with its worker ids, durably; then n is made, if that is
// still so; then the record shows that it has them. Whatever breaks off in between,
// nobody else is given them, and an Init that comes late, when they were given away,
// makes nothing.
func Init(ctx context.Context, c Catalog, n Namespace, o InitOptions) error {
	if err := n.Validate(); err != nil {
		return err
	}
	n.Epoch, n.Floor = "", 0
	for range attempts {
		done, err := makeOnce(ctx, c, n, o)
		if done || err != nil {
			return err
		}
	}
	return errBusy(n)
}

// attempts at a compare-and-set, each of which misses because another was applied.
const attempts = 1000

// makeOnce returns false when somebody else was faster, and it is to be done again.
func makeOnce(ctx context.Context, c Catalog, n Namespace, o InitOptions) (done bool, err error) {
	have, err := c.Namespace(ctx, n.Name)
	if err != nil {
		return false, err
	}
	if have.Name != "" {
		if err := n.Extends(have); err != nil {
			return false, err
		}
	}
	text, before, err := recall(ctx, c, n, have, o)
	if err != nil {
		return false, err
	}
	after, err := reserve(ctx, c, before, n, have, o)
	if err != nil {
		return false, err
	}
	if after.Text() != text {
		after.Changes++
		replaced, err := c.ReplaceSpace(ctx, n.Fingerprint, text, after.Text())
		if err != nil || !replaced {
			return false, err
		}
	}
	// Who registers adds a row before he looks at the record; here it is the other
	// way round, so that of two at a time at least one sees the other.
	if err := checkKeys(ctx, c, before, n, o); err != nil {
		undone := update(ctx, c, n, func(s Space) Space { return s.withdraw(n, before) })
		return false, errors.Join(err, undone)
	}
	floor, err := floorOf(ctx, c, before, after, n, have, o)
	if err != nil {
		return false, err
	}
	if have.Name != "" && before.returns(n, have) {
		if have.Floor, err = lift(ctx, c, have, floor); err != nil {
			return false, err
		}
	}
	if made, err := c.Make(ctx, n, have, after.Text(), floor); err != nil || !made {
		return false, err
	}
	return true, update(ctx, c, n, func(s Space) Space { return s.settle(n) })
}

// recall reads the record, or begins one with the namespaces that are there.
func recall(ctx context.Context, c Catalog, n, have Namespace, o InitOptions) (text string, s Space, err error) {
	text, err = c.Space(ctx, n.Fingerprint)
	if err != nil || text != "" {
		if err == nil {
			s, err = ParseSpace(text)
		}
		return text, s, err
	}
	if o.RequireRecord && !o.Fresh && o.Earlier == 0 && have.Name == "" {
		return "", s, fmt.Errorf("%w of layout %s: if there were none in this store, say so with InitOptions.Fresh (--fresh); "+
			"if you know the longest window that they had, InitOptions.Earlier (--earlier 1m) begins behind it; "+
			"--earlier %v begins behind the longest that there can have been", ErrUnknownPast, n.Fingerprint, MaxWindow(n.Unit))
	}
	all, err := c.Namespaces(ctx)
	if err != nil {
		return "", s, err
	}
	now, _, err := c.Clock(ctx)
	if err != nil {
		return "", s, err
	}
	return "", s.adopt(all, o, n, now), nil
}

// reserve is the record to be written before n is made.
func reserve(ctx context.Context, c Catalog, s Space, n, have Namespace, o InitOptions) (Space, error) {
	live := map[string]Namespace{}
	if have.Name != "" {
		live[n.Name] = have
	}
	for _, name := range s.others(n) {
		other, err := c.Namespace(ctx, name)
		if err != nil {
			return s, err
		}
		if other.Name != "" {
			live[name] = other
		}
	}
	after, err := s.reserve(n, o, live)
	if err == nil {
		err = checkKeys(ctx, c, s, n, o)
	}
	return after, err
}

func checkKeys(ctx context.Context, c Catalog, s Space, n Namespace, o InitOptions) error {
	if o.Apart || len(s.wants(n)) == 0 {
		return nil
	}
	highest, err := c.HighestKey(ctx)
	if err != nil {
		return err
	}
	return s.reserveKeys(n, o, highest)
}

// floorOf is where the grants of what is to be made begin. Rows that are added to
// a namespace, or made anew in it, are never believed to be fresh.
func floorOf(ctx context.Context, c Catalog, before, after Space, n, have Namespace, o InitOptions) (func(time.Time) int64, error) {
	_, shared, err := c.Clock(ctx)
	if err != nil {
		return nil, err
	}
	slack, fresh := o.Slack, o.Fresh && !before.ever(n) && have.Name == ""
	if !shared { // a writer's may be a window ahead before it is refused
		slack += time.Duration(after.Window) * time.Millisecond
	}
	return func(now time.Time) int64 { return after.floor(n, slack, fresh, now) }, nil
}

// lift makes all grants of a namespace begin behind what others were granted with
// worker ids that it gets back: rows of theirs may be left from when it had them,
// and know nothing of that.
func lift(ctx context.Context, c Catalog, have Namespace, floor func(now time.Time) int64) (int64, error) {
	now, _, err := c.Clock(ctx)
	if err != nil {
		return 0, err
	}
	behind := max(floor(now), have.Floor)
	return behind, c.Quarantine(ctx, have.Name, behind)
}

// update changes the record, if there is something to change.
func update(ctx context.Context, c Catalog, n Namespace, change func(Space) Space) error {
	for range attempts {
		text, err := c.Space(ctx, n.Fingerprint)
		if err != nil {
			return err
		}
		s, err := ParseSpace(text)
		if err != nil {
			return err
		}
		changed := change(s)
		if changed.Text() == text {
			return nil
		}
		changed.Changes++
		if replaced, err := c.ReplaceSpace(ctx, n.Fingerprint, text, changed.Text()); replaced || err != nil {
			return err
		}
	}
	return errBusy(n)
}

func errBusy(n Namespace) error {
	return fmt.Errorf("worker: making %q: the store's record of worker ids changes all the time: do it again", n.Name)
}
