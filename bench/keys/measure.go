package main

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker/store"
)

// A result is what a kind of key does on a server.
type result struct {
	Server   string `json:"server"`
	Key      string `json:"key"`
	KeyBytes int    `json:"key_bytes"`

	Primary extent `json:"primary_key"`
	Foreign extent `json:"foreign_key"`

	Splits   *float64 `json:"page_splits_per_1000_rows,omitempty"` // where the server says it
	LogBytes float64  `json:"log_bytes_per_row"`
	Rate     float64  `json:"rows_per_second"` // as fast as the processes can

	Last   float64 `json:"blocks_of_the_last_1000_rows"`
	ByList bool    `json:"last_1000_rows_by_a_list_of_keys,omitempty"`
	LookUp float64 `json:"blocks_of_a_look_up"`

	// When the older half of the rows is deleted, per row that is left.
	LeftPrimary extent `json:"primary_key_after_deletes"`
	LeftForeign extent `json:"foreign_key_after_deletes"`
}

// measure inserts rows and looks at what they have become.
func measure(ctx context.Context, o options, d *database, nth int, dsn string) (r result,
	err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends processes that are left
	k := kinds()[nth]
	r = result{Server: d.version, Key: k.name, KeyBytes: k.size(), ByList: k.unsorted}
	identity := ""
	if k.config == nil && k.make == nil {
		identity = d.sql["identity"]
	}
	err = d.do(ctx, with(d.sql["tables"], "{key}", d.sql[k.column], "{identity}", identity))
	if err != nil {
		return r, err
	}
	if k.config != nil && !k.fresh {
		if err := makePool(ctx, d.leases, k.config.Layout); err != nil {
			return r, fmt.Errorf("making a pool of worker ids: %w", err)
		}
	}
	all, err := spawn(ctx, o, nth, dsn)
	if err != nil {
		return r, err
	}
	if err := r.inserted(ctx, o, d, all); err != nil {
		return r, err
	}
	if r.Primary, r.Foreign, err = d.indexes(ctx, k, o.Rows); err != nil {
		return r, err
	}
	if r.Last, r.LookUp, err = d.queries(ctx, k); err != nil {
		return r, err
	}
	old := o.Rows / 2
	err = d.do(ctx, fmt.Sprintf("DELETE FROM parent WHERE id IN (SELECT id FROM "+
		"(SELECT id FROM parent ORDER BY made, id LIMIT %d) AS old)", old))
	if err == nil {
		err = d.vacuum(ctx)
	}
	if err != nil {
		return r, err
	}
	if r.LeftPrimary, r.LeftForeign, err = d.indexes(ctx, k, o.Rows-old); err != nil {
		return r, err
	}
	took, err := all.insert(o.Rows, 0)
	if err != nil {
		return r, err
	}
	r.Rate = float64(o.Rows) / took.Seconds()
	if err := all.end(); err != nil {
		return r, err
	}
	return r, d.count(ctx, 2*o.Rows-old)
}

// inserted inserts rows at the rate, and measures what the server wrote.
func (r *result) inserted(ctx context.Context, o options, d *database, all processes) error {
	mayFail := d.do(ctx, d.sql["may fail"]) // where it does, the server tells less
	before, err := d.number(ctx, d.sql["position"])
	if err != nil {
		return err
	}
	if _, err := all.insert(o.Rows, o.Rate); err != nil {
		return err
	}
	after, err := d.number(ctx, d.sql["position"])
	if err != nil {
		return err
	}
	rows := float64(o.Rows)
	r.LogBytes = (after - before) / rows
	since := fmt.Sprintf("%.0f", before)
	splits, err := d.number(ctx, with(d.sql["splits since then"], "{since}", since))
	if err == nil && mayFail == nil {
		splits *= 1000 / rows
		r.Splits = &splits
	}
	return d.count(ctx, o.Rows)
}

// makePool makes the rows of a pool of worker ids as they are when its first minute is over.
func makePool(ctx context.Context, s store.Raiser, l uid.Layout) error {
	need := l.Need()
	p := store.Pool{Layout: need.Fingerprint, Unit: need.Unit}
	var created, opened store.Nonce
	_, _ = rand.Read(created[:]) // never fails
	_, _ = rand.Read(opened[:])
	var workers []int64
	for i := range int64(workerIDs) {
		workers = append(workers, i)
	}
	if err := s.Create(ctx, store.Creation{Pool: p, Workers: workers, Nonce: created}); err != nil {
		return err
	}
	back := -time.Duration(p.Window()+2) * p.Unit // takes the window off again
	if _, err := s.Raise(ctx, store.Raise{Pool: p, Slack: back}); err != nil {
		return err
	}
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	return s.Open(ctx, store.Opening{Pool: p, Workers: workers, Created: created, Nonce: opened,
		High: p.TickAt(now) - 1})
}

// count fails unless both tables have these many rows, each with a key of its own.
func (d *database) count(ctx context.Context, want int) error {
	for _, query := range []string{"SELECT count(DISTINCT id) FROM parent",
		"SELECT count(DISTINCT parent) FROM child", "SELECT count(*) FROM child"} {
		n, err := d.number(ctx, query)
		if err != nil {
			return err
		}
		if int(n) != want {
			return fmt.Errorf("%s: %v, where %d were inserted", query, n, want)
		}
	}
	return nil
}

// indexes measures both.
func (d *database) indexes(ctx context.Context, k kind, rows int) (p, f extent, err error) {
	if err := d.do(ctx, d.sql["analyze"]); err != nil {
		return p, f, err
	}
	n, key := float64(rows), float64(k.size())
	if p, err = d.index(ctx, "primary", n, key+d.row.primary); err != nil {
		return p, f, err
	}
	f, err = d.index(ctx, "foreign", n, key+d.row.foreign)
	return p, f, err
}

// queries counts the blocks that the last 1,000 rows take, and a random one whose key is known.
// Where keys do not sort by time, the last rows are looked up by a list of their keys.
func (d *database) queries(ctx context.Context, k kind) (last, lookUp float64, err error) {
	keys, err := d.read(ctx, with(d.sql["keys"], "{key}", d.sql[k.column]))
	if err != nil {
		return 0, 0, err
	}
	query := "SELECT filler FROM parent ORDER BY id DESC LIMIT 1000"
	if k.unsorted {
		list := strings.Join(keys[max(0, len(keys)-1000):], ", ")
		query = "SELECT filler FROM parent WHERE id IN (" + list + ")"
	}
	if last, err = d.blocks(ctx, query); err != nil {
		return 0, 0, err
	}
	const times = 20
	for range times {
		n, err := d.blocks(ctx, "SELECT filler FROM parent WHERE id = "+keys[mathrand.IntN(len(keys))])
		if err != nil {
			return 0, 0, err
		}
		lookUp += n / times
	}
	return last, lookUp, nil
}
