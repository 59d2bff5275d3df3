package zkstore

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// View is described at store.Store. It shows everything that was acknowledged before, and
// each row as it was at some moment since, unless the server has lost the lead and does
// not know it yet. Now is the leader's clock.
func (s *Store) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	doing := "reading " + strconv.Quote(namespace)
	if err := s.sync(ctx, s.nsPath(namespace)); err != nil {
		return store.View{}, s.explain(doing, err)
	}
	s.readClock(ctx, s.ownersPath(namespace))
	var v store.View
	v.Now, v.Clock = s.clock.Now()
	var err error
	if v.Namespace, _, err = s.namespace(ctx, namespace); err != nil {
		return store.View{}, s.explain(doing, err)
	}
	v.Rows, err = s.rows(ctx, v.Namespace, max(first, v.First), min(last, v.Last))
	if err != nil {
		return store.View{}, s.explain(doing, err)
	}
	return v, nil
}

// sync has the server catch up with the leader, behind which it may lag.
func (s *Store) sync(ctx context.Context, path string) error {
	_, err := cancelable.Call(ctx, func() (string, error) { return s.conn.Sync(path) })
	return err
}

// atOnce is how many reads are under way at a time: they share one connection, and
// wait mostly for its round trips.
const atOnce = 64

// rows reads rows, as s.row does; those that are not there are left out.
func (s *Store) rows(ctx context.Context, of store.Namespace, first, last int64) ([]store.Row,
	error) {
	n := max(0, last-first+1)
	found, errs := make([]*store.Row, n), make([]error, n)
	var all sync.WaitGroup
	for start := range min(n, atOnce) {
		all.Go(func() {
			for i := start; i < n && ctx.Err() == nil; i += atOnce {
				row, _, err := s.row(ctx, of, first+i)
				if err == nil {
					found[i] = &row
				} else if !errors.Is(err, zk.ErrNoNode) {
					errs[i] = err
					return
				}
			}
		})
	}
	all.Wait()
	if err := cmp.Or(append(errs, context.Cause(ctx))...); err != nil { // the first
		return nil, err
	}
	var rows []store.Row
	for _, row := range found {
		if row != nil {
			rows = append(rows, *row)
		}
	}
	return rows, nil
}

// row reads a row and its version. Its High is in ticks of the namespace, also when the row
// was left by one that counted others.
func (s *Store) row(ctx context.Context, of store.Namespace, id int64) (store.Row, int32, error) {
	row, unit, version, err := s.stored(ctx, of.Name, id)
	row.High = namespaces.Recount(row.High, unit, of)
	return row, version, err
}

// stored reads a row as it is, the unit that it is counted in (0 where it does not say), and
// its version.
func (s *Store) stored(ctx context.Context, namespace string, id int64) (store.Row, time.Duration,
	int32, error) {
	text, stat, err := s.get(ctx, s.rowPath(namespace, id))
	if err != nil {
		return store.Row{}, 0, 0, err
	}
	row, unit, err := rowtext.ParseRowIn(id, text)
	return row, unit, stat.Version, err
}
