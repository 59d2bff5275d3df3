package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
)

// A Catalog is what a store does for [Init], which decides for all stores what is created.
// None of its methods repeats a write. Init may be run again after any error.
type Catalog interface {
	// Clock returns the time that writes go by, and whether all writers share it.
	Clock(ctx context.Context) (now time.Time, shared bool, err error)

	// Namespace reads a namespace; one that does not exist has no name. It wraps
	// ErrNamespace when its seal does not fit.
	Namespace(ctx context.Context, name string) (Namespace, error)

	// Namespaces reads all namespaces.
	Namespaces(ctx context.Context) ([]Namespace, error)

	// Space reads the record of a layout's worker ids: its text, or nothing.
	Space(ctx context.Context, fingerprint string) (text string, err error)

	// ReplaceSpace writes the record durably if at that instant it still equals old.
	ReplaceSpace(ctx context.Context, fingerprint, old, text string) (replaced bool, err error)

	// HighestKey is the highest worker id that worker.Disposable got from this store; 0
	// for none.
	HighestKey(ctx context.Context) (int64, error)

	// Quarantine is Store's.
	Quarantine(ctx context.Context, namespace string, floor int64) error

	// Make creates what is missing of a namespace: first its rows, free and with High =
	// start-1, then the namespace itself, or its larger range.
	//
	// have is what Namespace returned. If it exists, its Floor stays. If not, the new
	// Floor is start, or the tick above the highest High of any rows left from before,
	// if that is later. A High that was counted in another unit is taken for the same
	// time, or, where rows do not say their unit, refused if it makes no sense: an error
	// that wraps ErrNamespace, before anything is created. start is called once it is
	// known which rows to create.
	//
	// The namespace is written only if at that instant it still equals have, and the
	// record of the layout still equals space. So is each row, where they are not all
	// created at that instant. Make returns false when something has changed; then at
	// most some rows were created.
	//
	// Make counts a change of the record, before or together with the first that it
	// creates. So of several Inits that found a row missing only one creates it (it may
	// have been granted, and deleted, by the time that another would), and one that gives
	// up takes back nothing that another has made.
	Make(ctx context.Context, n, have Namespace, space string,
		start func(now time.Time) int64) (made bool, err error)
}

// Init implements Store.Init for the store whose catalog is c. First it reserves the worker
// ids of n in the record of the layout, durably; then it creates n, if the record has not
// changed; then it marks the worker ids as n's. If it is interrupted in between, nobody
// else gets them; and an Init that continues after they were given away creates nothing.
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

// attempts bounds how often a compare-and-set is tried again after losing to another.
const attempts = 1000

// makeOnce returns false when another Init was faster, and this one has to start again.
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
	// A registrar adds a row before it looks at the record. Here it is the other way
	// round, so that of two at a time at least one sees the other.
	if err := checkKeys(ctx, c, before, n, o); err != nil {
		return false, errors.Join(err, withdraw(ctx, c, n, before, after))
	}
	start, err := startOf(ctx, c, before, after, n, have, o)
	if err != nil {
		return false, err
	}
	if have.Name != "" && before.returns(n, have) {
		if have.Floor, err = raiseFloor(ctx, c, have, start); err != nil {
			return false, err
		}
	}
	made, err := c.Make(ctx, n, have, after.Text(), start)
	if errors.Is(err, ErrNamespace) { // it cannot be made, and shall not be in the way of another
		return false, errors.Join(err, withdraw(ctx, c, n, before, after))
	}
	if err != nil || !made {
		return false, err
	}
	return true, update(ctx, c, n, func(s Space) Space { return s.settle(n) })
}

// withdraw gives back what n has reserved, unless the record has changed since: then another
// Init may have made n, with these worker ids.
func withdraw(ctx context.Context, c Catalog, n Namespace, before, after Space) error {
	s := after.withdraw(n, before)
	s.Changes++
	_, err := c.ReplaceSpace(ctx, n.Fingerprint, after.Text(), s.Text())
	return err
}

// recall reads the record, or begins one with the namespaces that exist.
func recall(ctx context.Context, c Catalog, n, have Namespace, o InitOptions) (text string, s Space,
	err error) {
	text, err = c.Space(ctx, n.Fingerprint)
	if err != nil || text != "" {
		if err == nil {
			s, err = ParseSpace(text)
		}
		return text, s, err
	}
	if o.RequireRecord && !o.Fresh && o.Earlier == 0 && have.Name == "" {
		return "", s, fmt.Errorf(
			"%w of layout %s: if there were none in this store, say so with InitOptions.Fresh (--fresh); "+
				"if you know the longest window that any of them had, give it as InitOptions.Earlier "+
				"(--earlier 1m): the first ids lie after it; "+
				"--earlier %v is the longest that any can have had", ErrUnknownPast,
			fingerprint.Layout(n.Fingerprint), MaxWindow(n.Unit))
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

// reserve returns the record to be written before n is made.
func reserve(ctx context.Context, c Catalog, s Space, n, have Namespace, o InitOptions) (Space,
	error) {
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

// startOf returns where the grants of what is to be created start. Rows that are added to
// a namespace, or created again in it, are never taken for fresh.
func startOf(ctx context.Context, c Catalog, before, after Space, n, have Namespace,
	o InitOptions) (func(time.Time) int64, error) {
	_, shared, err := c.Clock(ctx)
	if err != nil {
		return nil, err
	}
	slack, fresh := o.Slack, o.Fresh && !before.ever(n) && have.Name == ""
	if !shared { // a writer's clock may be a window ahead before it is refused
		slack += time.Duration(after.Window) * time.Millisecond
	}
	return func(now time.Time) int64 { return after.start(n, slack, fresh, now) }, nil
}

// raiseFloor makes all grants of a namespace start above what others were granted with
// worker ids that it gets back: rows left from when it had them before do not show that.
func raiseFloor(ctx context.Context, c Catalog, have Namespace,
	start func(now time.Time) int64) (int64, error) {
	now, _, err := c.Clock(ctx)
	if err != nil {
		return 0, err
	}
	floor := max(start(now), have.Floor)
	return floor, c.Quarantine(ctx, have.Name, floor)
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
		if replaced, err := c.ReplaceSpace(ctx, n.Fingerprint, text, changed.Text()); replaced ||
			err != nil {
			return err
		}
	}
	return errBusy(n)
}

func errBusy(n Namespace) error {
	return fmt.Errorf("worker: creating %q: the store's record of worker ids keeps changing: try "+
		"again", n.Name)
}
