package k8sstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Quarantine is described at store.Store.
func (s *Store) Quarantine(ctx context.Context, namespace string, floor int64) error {
	doing := "lifting the floor of " + strconv.Quote(namespace)
	err := s.usable(ctx)
	if err == nil {
		err = s.lift(ctx, namespace, floor)
	}
	if err != nil {
		return s.explain(doing, err)
	}
	return nil
}

// lift lifts a floor, in three steps: the book says which floor is to come; each row is
// given it; the book says that it is there. No view shows it before the last, so who sees
// a floor knows that nobody writes under an older one. Whoever finds a lift that was
// broken off goes on with it.
func (s *Store) lift(ctx context.Context, name string, floor int64) error {
	for ctx.Err() == nil {
		b, err := s.book(ctx)
		if err != nil {
			return err
		}
		n, err := b.namespace(name)
		if err != nil {
			return err
		}
		if n.Name == "" {
			return fmt.Errorf("%w: %q: %s", store.ErrNoNamespace, name, gone)
		}
		floor := max(floor, n.lifting)
		switch {
		case floor <= n.Floor && n.lifting == 0:
			return nil
		case floor > n.lifting && floor > n.Floor:
			_, err = s.change(ctx, b, map[string]string{keyLifting + name: strconv.FormatInt(floor, 10)})
		default:
			err = s.finish(ctx, b, n)
		}
		if err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// finish gives the floor that is to come to each row, and then to the namespace.
func (s *Store) finish(ctx context.Context, b book, n namespace) error {
	n.Floor = max(n.Floor, n.lifting)
	want := termsOf(n.Namespace)
	for all := false; !all; {
		rows, _, err := s.rowsOf(ctx, n.Name, n.First, n.Last)
		if err != nil {
			return err
		}
		rows = slices.DeleteFunc(rows, func(r row) bool {
			if r.terms.UnitMillis != want.UnitMillis { // left of an earlier namespace, or a later one's
				return r.terms.Closed == ""
			}
			return r.terms.Floor >= want.Floor
		})
		all, err = s.settle(ctx, rows, func(r row) row {
			is := want
			if r.terms.Closed != "" {
				is = want.closed() // so that nobody opens it under the old floor
				is.New = r.terms.New
			}
			return r.under(is, n.Namespace)
		})
		if err != nil {
			return err
		}
	}
	s.memory.forget(n.Name)
	_, err := s.change(ctx, b, map[string]string{
		keyNamespace + n.Name: string(rowtext.Namespace(n.Namespace)),
		keyLifting + n.Name:   "",
	})
	return err
}

// close closes rows, so that no write is applied to them which is under way, nor any that
// is built on what was read before. which selects them, and is false when they are not to
// be closed any more. A row that was closed already is closed once more, since it is not
// known for whom; by whomever, as long as that is after it was among those to be closed:
// else two who do it at once would never end.
func (s *Store) close(ctx context.Context,
	which func() (rows []row, still bool, err error)) (closed bool, err error) {
	among := map[string]bool{}    // Leases that were
	before := map[string]string{} // their terms, as they were read afterwards
	fresh := func(r row) bool {
		text, is := before[r.lease]
		return is && r.terms.Closed != "" && r.termsText != text
	}
	for {
		rows, still, err := which()
		if !still || err != nil {
			return false, err
		}
		for _, r := range rows {
			if _, is := before[r.lease]; !is && among[r.lease] {
				before[r.lease] = r.termsText
			}
			among[r.lease] = true
		}
		rows = slices.DeleteFunc(rows, fresh)
		if len(rows) == 0 {
			return true, nil
		}
		rows = slices.DeleteFunc(rows, func(r row) bool { _, is := before[r.lease]; return !is })
		_, err = s.settle(ctx, rows, func(r row) row {
			r.terms = r.terms.closed()
			return r
		})
		if err != nil {
			return false, err
		}
	}
}
