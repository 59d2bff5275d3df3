package k8sstore

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Init is described at store.Store. Rows come first, closed; then the book has the
// namespace; then they are opened. An Init that was interrupted has made nothing that
// serves, or a namespace whose rows the next view opens.
func (s *Store) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
	err := s.usable(ctx)
	if err == nil {
		err = store.Init(ctx, catalog{s}, n, o)
	}
	if err != nil {
		return s.explain("making "+strconv.Quote(n.Name), err)
	}
	return nil
}

// catalog is the store.Catalog of a Store.
type catalog struct{ *Store }

func (c catalog) Clock(ctx context.Context) (time.Time, bool, error) {
	if _, err := c.book(ctx); err != nil { // every answer shows the time
		return time.Time{}, false, err
	}
	now, unknown := c.api.clock.Now()
	return now, unknown == nil, nil
}

func (c catalog) Namespace(ctx context.Context, name string) (store.Namespace, error) {
	b, err := c.book(ctx)
	if err != nil {
		return store.Namespace{}, err
	}
	n, err := b.namespace(name)
	return n.Namespace, err
}

// Namespaces are also those of which only rows are left: their holders may be alive.
func (c catalog) Namespaces(ctx context.Context) (all []store.Namespace, err error) {
	b, err := c.book(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range b.names() {
		n, err := b.namespace(name)
		if err != nil {
			return nil, err
		}
		all = append(all, n.Namespace)
	}
	rows, _, err := c.list(ctx, url.Values{"labelSelector": {labelNamespace}})
	if err != nil {
		return nil, err
	}
	left := map[string]*store.Namespace{}
	for _, r := range rows {
		name := r.terms.Namespace
		if _, there := b.data[keyNamespace+name]; there {
			continue
		}
		if left[name] == nil {
			n := r.terms.namespace()
			n.First, n.Last = r.Worker, r.Worker
			left[name] = &n
		}
		n := left[name]
		n.First, n.Last, n.Window = min(n.First, r.Worker), max(n.Last, r.Worker),
			max(n.Window, r.terms.Window)
	}
	for _, n := range left {
		all = append(all, *n)
	}
	return all, nil
}

func (c catalog) Space(ctx context.Context, fingerprint string) (string, error) {
	b, err := c.book(ctx)
	return b.space(fingerprint), err
}

func (c catalog) ReplaceSpace(ctx context.Context, fingerprint, old, text string) (bool, error) {
	for {
		b, err := c.book(ctx)
		if err != nil || b.space(fingerprint) != old {
			return false, err
		}
		done, err := c.change(ctx, b, map[string]string{keySpace + keyOf(fingerprint): text})
		if done || err != nil {
			return done, err
		} // else something else in the book has changed
	}
}

func (catalog) HighestKey(context.Context) (int64, error) { return 0, nil }

func (c catalog) Make(ctx context.Context, n, have store.Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	by := newNonce().String()
	closed, err := c.close(ctx,
		func() ([]row, bool, error) { return c.strangers(ctx, n, have, space) })
	if !closed || err != nil {
		return false, err
	}
	rows, _, err := c.rowsOf(ctx, n.Name, n.First, n.Last)
	if err != nil {
		return false, err
	}
	now, _, err := c.Clock(ctx)
	if err != nil {
		return false, err
	}
	begin := max(floor(now), have.Floor)
	n.Floor = have.Floor
	if have.Name == "" {
		for _, r := range rows {
			begin = max(begin, namespaces.Recount(max(r.High, r.terms.Floor), r.terms.unit(), n)+1)
		}
		n.Floor = begin
	}
	if err := c.makeRows(ctx, n, by, rows, begin-1, now); err != nil {
		return false, err
	}
	if n != have {
		if made, err := c.enter(ctx, n, have, space, by); !made || err != nil {
			return false, err
		}
	}
	_, _, err = c.read(ctx, n.Name, n.First, n.Last) // opens them
	return err == nil, err
}

// strangers are rows that nobody may write while n gets its worker ids: those of n that
// have does not have, left from an earlier n, and those of namespaces that are gone, or
// have no such worker id any more. It is false when somebody else has made n, and opens
// its rows, or changed the record of the layout.
func (c catalog) strangers(ctx context.Context, n, have store.Namespace, space string) (rows []row,
	still bool, err error) {
	rows, _, err = c.list(ctx, labelled(labelLayout, n.Fingerprint))
	if err != nil {
		return nil, false, err
	}
	own, _, err := c.list(ctx, labelled(labelNamespace, n.Name))
	if err != nil {
		return nil, false, err
	}
	b, err := c.book(ctx) // after them: a namespace that is made now has the record changed
	if err != nil {
		return nil, false, err
	}
	if _, still, err = b.still(n, have, space); !still || err != nil {
		return nil, false, err
	}
	inside := func(r row, n store.Namespace) bool { return n.First <= r.Worker && r.Worker <= n.Last }
	return slices.DeleteFunc(append(rows, own...), func(r row) bool {
		if r.terms.Namespace == n.Name {
			return have.Name != "" && inside(r, have)
		}
		theirs, err := b.namespace(r.terms.Namespace)
		return !inside(r, n) || err != nil || theirs.Name != "" && inside(r, theirs.Namespace)
	}), true, nil
}

// still: n is as it was when somebody began to make it, and so is the record of its layout.
func (b book) still(n, have store.Namespace, space string) (is namespace, still bool, err error) {
	is, err = b.namespace(n.Name)
	return is, err == nil && is.Namespace == have && b.space(n.Fingerprint) == space, err
}

// makeRows makes the rows that are not there.
func (c catalog) makeRows(ctx context.Context, n store.Namespace, by string, there []row,
	high int64, now time.Time) error {
	var missing []int64
	for id := n.First; id <= n.Last; id++ {
		if len(there) > 0 && there[0].Worker == id {
			there = there[1:]
			continue
		}
		missing = append(missing, id)
	}
	t := termsOf(n)
	t.New = by
	return c.forEach(ctx, len(missing), func(ctx context.Context, i int) error {
		return c.create(ctx, t.closed(), rowtext.Free(missing[i], high, now))
	})
}

// enter writes the namespace into the book, if it is still have there, and the record of
// the layout still space. No floor may be on its way: rows that were made know nothing
// of it. The record is counted on, so that it differs for whoever read it before, even if
// the namespace is gone again. A namespace that was not there gets the name of who made its
// rows: each of these was created, by a request that was answered, when nobody could open it.
func (c catalog) enter(ctx context.Context, n, have store.Namespace, space, by string) (bool,
	error) {
	counted, err := store.ParseSpace(space)
	if err != nil {
		return false, err
	}
	counted.Changes++
	for {
		b, err := c.book(ctx)
		if err != nil {
			return false, err
		}
		is, still, err := b.still(n, have, space)
		if !still || err != nil {
			return false, err
		}
		if is.lifting > 0 {
			return false, c.lift(ctx, n.Name, is.lifting)
		}
		keys := map[string]string{
			keyNamespace + n.Name: string(rowtext.Namespace(n)), keyLifting + n.Name: "",
			keySpace + keyOf(n.Fingerprint): counted.Text(),
		}
		if have.Name == "" {
			keys[keyMade+n.Name] = by
		}
		made, err := c.change(ctx, b, keys)
		if made || err != nil {
			return made, err
		}
	}
}
