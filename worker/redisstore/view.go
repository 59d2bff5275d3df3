package redisstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// batch is how many rows one script touches: some milliseconds, during which the
// server does nothing else.
const batch = 1024

// View is described at store.Store. One row takes one call; more take one to list them,
// and one for each 1024.
func (s *Store) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	if first == last {
		v, err := s.view(ctx, namespace, first, last)
		if err == nil && !v.Has(first) {
			v.Rows = nil
		}
		return v, err
	}
	v, err := s.view(ctx, namespace, 0, -1)
	if err != nil {
		return v, err
	}
	first, last = max(first, v.First), min(last, v.Last)
	for from := first; from <= last; from += batch {
		// Rows of a later moment than the namespace: a write compares both.
		part, err := s.view(ctx, namespace, from, min(last, from+batch-1))
		if err != nil {
			return store.View{}, err
		}
		v.Rows = append(v.Rows, part.Rows...)
	}
	return v, nil
}

// view reads the namespace and rows in one script. Rows that are not there are
// left out; those that are come also with the error that there is no namespace.
func (s *Store) view(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	keys := []string{s.nsKey(namespace)}
	for id := first; id <= last; id++ {
		keys = append(keys, s.rowKey(namespace, id))
	}
	answer, err := s.read(ctx, viewScript, keys)
	if err != nil {
		return store.View{}, s.explain("reading "+strconv.Quote(namespace), err)
	}
	v, none := parseView(namespace, answer)
	if none != nil && !errors.Is(none, store.ErrNoNamespace) {
		return v, none
	}
	for i, fields := range answer[3:] {
		row, there, err := parseRow(namespace, first+int64(i), fields)
		if err != nil {
			return store.View{}, err
		}
		if there {
			v.Rows = append(v.Rows, row)
		}
	}
	return v, none
}

// parseView tells the server's clock and incarnation even when there is no such
// namespace.
func parseView(namespace string, answer []any) (store.View, error) {
	v := store.View{Now: newFields("the clock", answer).time(0),
		Server: newFields("the server", answer).text(1)}
	f := newFields("namespace "+strconv.Quote(namespace), answer[2])
	if f.missing() {
		return v, fmt.Errorf("redisstore: %w: %q: %s", store.ErrNoNamespace, namespace, gone)
	}
	v.Namespace = store.Namespace{
		Name:        namespace,
		Fingerprint: f.text(0),
		Unit:        time.Duration(f.number(1)) * time.Millisecond,
		First:       f.number(2),
		Last:        f.number(3),
		Window:      f.number(4),
		Epoch:       f.text(5),
		Floor:       f.number(6),
	}
	if err := v.Validate(); f.err == nil && err != nil {
		f.err = f.edited(err.Error())
	}
	if err := v.CheckSeal(f.text(7)); f.err == nil && err != nil {
		f.err = fmt.Errorf("redisstore: %w", err)
	}
	return v, f.err
}

func parseRow(namespace string, id int64, fields any) (row store.Row, there bool, err error) {
	f := newFields(fmt.Sprintf("the row of worker id %d in %q", id, namespace), fields)
	if f.missing() {
		return store.Row{}, false, nil
	}
	row = store.Row{
		Worker:  id,
		Nonce:   f.nonce(0),
		Held:    f.text(1) == "1",
		High:    f.number(2),
		Expires: f.time(3),
		Renewed: f.time(4),
		Owner:   f.text(5),
	}
	return row, true, f.err
}

// fields are values of a hash, and the first thing that is wrong with them.
type fields struct {
	of     string
	values []any
	err    error
}

func newFields(of string, values any) *fields {
	list, _ := values.([]any)
	return &fields{of: of, values: list}
}

// missing: there is no such key.
func (f *fields) missing() bool {
	for _, v := range f.values {
		if v != nil {
			return false
		}
	}
	return true
}

func (f *fields) text(i int) string {
	s, ok := f.values[i].(string)
	if !ok && f.err == nil {
		f.err = f.edited("a field is missing")
	}
	return s
}

// number wants the one way in which a script wrote it, since scripts compare
// numbers as text.
func (f *fields) number(i int) int64 {
	s := f.text(i)
	n, err := strconv.ParseInt(s, 10, 64)
	if f.err == nil && (err != nil || strconv.FormatInt(n, 10) != s) {
		f.err = f.edited(fmt.Sprintf("%q is no number", s))
	}
	return n
}

func (f *fields) time(i int) time.Time { return time.UnixMilli(f.number(i)).UTC() }

func (f *fields) nonce(i int) (n store.Nonce) {
	s := f.text(i)
	if k, err := hex.Decode(n[:], []byte(s)[:min(len(s), 2*len(n))]); f.err == nil &&
		(err != nil || k != len(n) || n.String() != s) {
		f.err = f.edited(fmt.Sprintf("nonce %q: want 32 hexadecimal digits", s))
	}
	return n
}

func (f *fields) edited(what string) error {
	return fmt.Errorf("redisstore: %w: %s was edited: %s; restore the old values by hand, or "+
		"quarantine after restoring a backup", store.ErrStore, f.of, what)
}
