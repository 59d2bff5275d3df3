// Package rows has the rules of store.Store for rows in a map: those of memstore and docstore, and
// what a server showed of its texts.
package rows

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// Key names a row.
type Key struct {
	Layout string
	Worker int64
}

// Path is the key where keys are sorted as texts.
func (k Key) Path() string {
	return fmt.Sprintf("%s/%019d", url.PathEscape(k.Layout), k.Worker)
}

// ParsePath is the inverse of Path. place is what comes before the path, for the error, which
// wraps store.ErrStore: something else created the key.
func ParsePath(place, path string) (Key, error) {
	escaped, digits, _ := strings.Cut(path, "/")
	layout, err := url.PathUnescape(escaped)
	id, bad := strconv.ParseInt(digits, 10, 64)
	k := Key{layout, id}
	if err != nil || bad != nil || k.Path() != path {
		return k, fmt.Errorf("%w: %q is no worker id's: delete it", store.ErrStore, place+path)
	}
	return k, nil
}

// Row is a row, and what is known of it besides.
type Row struct {
	store.Row
	Unit  time.Duration // of its pool
	Text  string        // as it was read; empty: it was changed since, or never read
	Wrong error         // why this version cannot read it; nil: it can
}

// Parse reads what Row.Text of package store returned.
func Parse(k Key, text string) Row {
	p, r, wrong := store.ParseRow(k.Layout, k.Worker, text)
	return Row{Row: r, Unit: p.Unit, Text: text, Wrong: wrong}
}

// Pool is the pool of the row with this key.
func (r Row) Pool(k Key) store.Pool { return store.Pool{Layout: k.Layout, Unit: r.Unit} }

// Rows are those of a place, or of a part of one. A method that changes them reports whether it
// changed anything.
type Rows map[Key]Row

// View adds the rows to a view of their pool, from first to last, and of the others.
func (m Rows) View(v *store.View, first, last int64) {
	for k, r := range m {
		p := r.Pool(k)
		other, there := v.Others[p]
		switch {
		case r.Wrong != nil:
			v.Unreadable = errors.Join(v.Unreadable, r.Wrong)
		case k.Layout != v.Layout:
			if !there || r.Open && (!other.Open || r.High > other.High) {
				v.Others[p] = r.Row
			}
		case p != v.Pool:
			v.Unreadable = errors.Join(v.Unreadable, fmt.Errorf("%w: the row of worker id %d of layout %s "+
				"counts ticks of %v, and the layout's are %v: somebody edited it", store.ErrStore, k.Worker,
				k.Layout, r.Unit, v.Unit))
		default:
			v.Slack = max(v.Slack, r.Slack)
			if first <= k.Worker && k.Worker <= last {
				v.Rows = append(v.Rows, r.Row)
			}
		}
	}
	slices.SortFunc(v.Rows, func(a, b store.Row) int { return cmp.Compare(a.Worker, b.Worker) })
}

// Create adds rows that are not there yet. See store.Store.
func (m Rows) Create(p store.Pool, workers []int64, nonce store.Nonce) (changed bool) {
	for _, id := range workers {
		k := Key{p.Layout, id}
		if _, there := m[k]; !there {
			m[k], changed = Row{Row: store.Row{Worker: id, Nonce: nonce}, Unit: p.Unit}, true
		}
	}
	return changed
}

// Open opens rows with the nonce created. See store.Store.
func (m Rows) Open(p store.Pool, workers []int64, created store.Nonce, opened store.Row) (
	changed bool) {
	for _, id := range workers {
		k := Key{p.Layout, id}
		if r, there := m[k]; there && r.Pool(k) == p && !r.Open && r.Nonce == created {
			opened.Worker = id
			m[k], changed = Row{Row: opened, Unit: p.Unit}, true
		}
	}
	return changed
}

// Write writes a row at now. Comparing the head is left to the store.
func (m Rows) Write(w store.Write, now time.Time) (applied bool) {
	k := Key{w.Layout, w.Worker}
	r := m[k] // one that is not there is not open
	row, applied := w.Apply(r.Row, now)
	if applied = applied && r.Pool(k) == w.Pool; applied {
		m[k] = Row{Row: row, Unit: w.Unit}
	}
	return applied
}

// Delete removes the rows of a layout, or all if layout is empty.
func (m Rows) Delete(layout string) (changed bool) {
	before := len(m)
	maps.DeleteFunc(m, func(k Key, _ Row) bool { return layout == "" || k.Layout == layout })
	return len(m) < before
}
