package k8sstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

func (s *Store) leases() string {
	return "/apis/coordination.k8s.io/v1/namespaces/" + s.api.place + "/leases"
}

// page is how many rows are asked for at once.
const page = 500

// list reads the rows that a query selects, in the order of their worker ids, and as
// they were at one moment. It shows all that was acknowledged before. version counts
// the changes of the store until then.
func (s *Store) list(ctx context.Context, query url.Values) (rows []row, version int64, err error) {
	query.Set("limit", strconv.Itoa(page))
	p := parser{store: s}
	for {
		var l coordinationv1.LeaseList
		if err := s.api.do(ctx, request{method: http.MethodGet, path: s.leases(), query: query},
			&l); err != nil {
			return nil, 0, err
		}
		for i := range l.Items {
			r, err := p.parse(&l.Items[i])
			if err != nil {
				return nil, 0, err
			}
			rows = append(rows, r)
		}
		if l.Continue == "" {
			slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.Worker, b.Worker) })
			return rows, versionOf(l.ResourceVersion), nil
		}
		query.Set("continue", l.Continue)
	}
}

func labelled(label, text string) url.Values {
	return url.Values{"labelSelector": {label + "=" + keyOf(text)}}
}

// rowsOf asks for the rows of a namespace; for one alone where first is last.
func (s *Store) rowsOf(ctx context.Context, namespace string, first, last int64) ([]row, int64,
	error) {
	query := labelled(labelNamespace, namespace)
	if first == last {
		query.Set("fieldSelector", "metadata.name="+s.leaseName(namespace, first))
	}
	rows, version, err := s.list(ctx, query)
	return slices.DeleteFunc(rows, func(r row) bool { return r.Worker < first || r.Worker > last }),
		version, err
}

// errNoRow: the Lease of a row is not there.
var errNoRow = errors.New("it has no such row")

// patch changes a row that still is what was read, as far as the operations test it.
func (s *Store) patch(ctx context.Context, r row, ops ...op) (is row, done bool, err error) {
	var l coordinationv1.Lease
	err = s.api.do(ctx, request{http.MethodPatch, s.leases() + "/" + r.lease, nil, jsonPatch, ops}, &l)
	switch {
	case err == nil:
		is, err = (&parser{store: s}).parse(&l)
		return is, err == nil, err
	case apierrors.IsNotFound(err):
		return row{}, false, errNoRow
	case apierrors.IsConflict(err): // others wrote it all the time
		return row{}, false, nil
	case !apierrors.IsInvalid(err):
		return row{}, false, err
	}
	// That is a test which failed, or a patch that the server does not like.
	now, _, reading := s.rowsOf(ctx, r.terms.Namespace, r.Worker, r.Worker)
	if reading == nil && len(now) == 1 && now[0].same(r) {
		return row{}, false, err
	}
	return row{}, false, reading
}

// untracked keeps the server from noting who wrote which field of a Lease, which would be
// half of it. This is how Kubernetes wants to be told that.
var untracked = set("/metadata/managedFields", []any{struct{}{}})

// settle gives rows new terms, and reports whether all were still as they were read. What
// to leaves of a row's own part as it is, may change meanwhile, and a write that is under way
// is applied or not, by the terms that it finds.
func (s *Store) settle(ctx context.Context, rows []row, to func(row) row) (all bool, err error) {
	var changed atomic.Int64
	err = s.forEach(ctx, len(rows), func(ctx context.Context, i int) error {
		was, is := rows[i], to(rows[i])
		ops := []op{
			test(termsPath, was.termsText),
			set(termsPath, is.terms.String()), set(layoutPath, keyOf(is.terms.Fingerprint)), untracked,
		}
		if is.Row != was.Row {
			ops = append(ops, test(rowPath, was.text), set(rowPath, string(rowtext.Row(is.Row))))
		}
		_, done, err := s.patch(ctx, was, ops...)
		if done {
			changed.Add(1)
		}
		if errors.Is(err, errNoRow) {
			err = nil
		}
		return err
	})
	return changed.Load() == int64(len(rows)), err
}

// create makes a row, unless it is there.
func (s *Store) create(ctx context.Context, t terms, r store.Row) error {
	var l coordinationv1.Lease
	err := s.api.do(ctx, request{method: http.MethodPost, path: s.leases(), body: s.object(t, r)}, &l)
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// atOnce is how many requests are under way at a time.
const atOnce = 16

// forEach calls do for 0 to n-1, some at a time, until one fails.
func (s *Store) forEach(ctx context.Context, n int,
	do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for start := range min(n, atOnce) {
		all.Go(func() {
			for i := start; i < n && ctx.Err() == nil; i += atOnce {
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

func newNonce() (n store.Nonce) {
	rand.Read(n[:])
	return n
}
