package k8sstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/rollback"
	"github.com/ringuid/ringuid/worker/store"
)

// View is described at store.Store. It shows all that was acknowledged before; a single
// row may be what this store's last write left in it. Now is the API server's clock.
func (s *Store) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	doing := "reading " + strconv.Quote(namespace)
	if err := s.usable(ctx); err != nil {
		return store.View{}, s.explain(doing, err)
	}
	if first == last {
		if n, r, ok := s.memory.show(place{namespace, first}); ok {
			return s.view(n, []store.Row{r}), nil
		}
	}
	n, rows, err := s.read(ctx, namespace, first, last)
	if err != nil && !errors.Is(err, store.ErrRolledBack) {
		return store.View{}, s.explain(doing, err)
	}
	v := s.view(n, nil)
	for _, r := range rows {
		v.Rows = append(v.Rows, r.Row)
	}
	if err != nil {
		return v, s.explain(doing, err)
	}
	if first != last || !s.memory.settles(place{namespace, first}) {
		s.vacate(ctx, &v, rows)
	}
	return v, nil
}

func (s *Store) view(n store.Namespace, rows []store.Row) store.View {
	v := store.View{Namespace: n, Rows: rows}
	v.Now, v.Clock = s.api.clock.Now()
	return v
}

// mostRounds is how often rows and namespace are read anew since they did not fit.
const mostRounds = 100

// read reads rows and then the namespace, so that it had these worker ids when the rows
// were what they are. Rows whose terms are not the namespace's are given them first: that
// is the end of an Init, or of a floor that somebody began to lift.
func (s *Store) read(ctx context.Context, name string, first, last int64) (n store.Namespace,
	rows []row, err error) {
	for range mostRounds {
		before := s.marks.Of(name)
		rows, version, err := s.rowsOf(ctx, name, first, last)
		if err != nil {
			return n, nil, err
		}
		b, err := s.book(ctx)
		if err != nil {
			return n, nil, err
		}
		is, err := b.namespace(name)
		if err != nil {
			return n, nil, err
		}
		if is.Name == "" {
			return n, nil, fmt.Errorf("%w: %q: %s", store.ErrNoNamespace, name, gone)
		}
		rows = slices.DeleteFunc(rows,
			func(r row) bool { return r.Worker < is.First || r.Worker > is.Last })
		if len(rows) == 0 && first <= is.First && is.Last <= last {
			return n, nil, fmt.Errorf("%w: %q has lost its rows: %s", store.ErrNoNamespace, name, gone)
		}
		if alarm := s.note(name, before, version, is.Namespace); alarm != nil {
			s.memory.forget(name)
			is.Floor = before.Raise(is.Namespace)
			return is.Namespace, rows, alarm
		}
		fits, err := s.fit(ctx, is, rows)
		if err != nil {
			return n, nil, err
		}
		if fits {
			s.memory.noted(is.Namespace, rows)
			return is.Namespace, rows, nil
		}
	}
	return n, nil, fmt.Errorf("%w: its rows or its floor change faster than they can be read",
		store.ErrStore)
}

const gone = "make it with `uidbench worker init` or Store.Init; if it was there, look who " +
	"deleted it"

// note compares how many changes the store counts with what it counted before.
func (s *Store) note(namespace string, before rollback.Mark, version int64,
	n store.Namespace) error {
	if version == 0 {
		return nil
	}
	return s.marks.Note(namespace, before, rollback.At(version, n))
}

// fit is true when all rows have the terms of the namespace. Else it does something
// about it, and they are to be read again.
func (s *Store) fit(ctx context.Context, n namespace, rows []row) (bool, error) {
	floor := max(n.Floor, n.lifting)
	for _, r := range rows {
		if r.terms.Closed == "" && r.terms.Fingerprint == n.Fingerprint {
			floor = max(floor, r.terms.Floor)
		}
	}
	if floor > n.Floor {
		return false, s.lift(ctx, n.Name, floor)
	}
	want := termsOf(n.Namespace)
	others := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.terms == want })
	if len(others) == 0 {
		return true, nil
	}
	high := s.granted(n.Namespace)
	_, err := s.settle(ctx, others, func(r row) row {
		is := r.under(want, n.Namespace)
		if r.terms.New != "" && r.terms.New != n.made {
			is.High, is.Nonce = max(is.High, high), newNonce()
		}
		return is
	})
	return false, err
}

// granted is the highest tick that can have been granted with a row of n until it was read
// last. A row that was created since n is there may have had a predecessor, whose Lease
// somebody deleted after it had been granted more than whoever created this one knew: it may
// have hung for long before it did. So what is granted with it begins above this.
func (s *Store) granted(n store.Namespace) int64 {
	now, unknown := s.api.clock.Now() // not before the answer that showed the row
	slack := worker.DefaultSlack
	if unknown != nil { // writers went by clocks of their own
		slack += time.Duration(n.Window) * n.Unit
	}
	return store.View{Namespace: n, Now: now}.SafeFloor(slack)
}
