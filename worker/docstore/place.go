package docstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/rows"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// place is a store.Store on 16 documents; its methods are described there.
type place struct {
	name string
	at   [parts]Document

	machine clock.Clock
	text    func() string                                              // random
	wait    func(ctx context.Context, most time.Duration) error        // a random time
	each    func(ctx context.Context, n int, do func(int) error) error // see textstore.Each

	mu     sync.Mutex
	seen   [parts]*document         // as they were loaded last
	unused [parts]bool              // no change began with that one
	held   map[rows.Key]store.Nonce // of the rows that this process holds, as it wrote them
	last   textstore.Reading        // of the last document that was loaded
}

// Rig gives the store a machine of the simulation's, in which it does one thing at a time.
func (s *place) Rig(machine clock.Clock, text func() string,
	wait func(ctx context.Context, most time.Duration) error) {
	s.machine, s.text, s.wait = machine, text, wait
	for part, d := range s.at {
		s.at[part] = d.(bounded).Document
	}
	s.each = func(_ context.Context, n int, do func(int) error) (err error) {
		for i := 0; i < n && err == nil; i++ {
			err = do(i)
		}
		return err
	}
}

func (s *place) explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s: %w", s.name, doing, err)
}

// Check makes the documents that are missing, and proves that the store compares: it tries to
// replace document 0 by one without rows, on two conditions that do not hold. If that succeeds, it
// was no worse than a Delete.
func (s *place) Check(ctx context.Context) (lossy bool, err error) {
	var tag string // of document 0
	err = s.each(ctx, parts, func(part int) error {
		d, err := s.load(ctx, part)
		if err == nil && d.tag == "" {
			if _, err = s.save(ctx, empty(part, s.text()), ""); err == nil && part == 0 {
				d, err = s.load(ctx, part)
			}
		}
		if part == 0 && err == nil {
			tag = d.tag
		}
		return err
	})
	conditions := []struct{ tag, says string }{
		{other(tag), "that it has another tag"}, {"", "that there is none"},
	}
	if err == nil && tag != "" { // else somebody has just deleted it
		err = s.each(ctx, len(conditions), func(i int) error {
			saved, err := s.save(ctx, empty(0, s.text()), conditions[i].tag)
			if saved {
				err = fmt.Errorf("%w: it replaced a value on the condition %s: use a store that compares, and "+
					"nothing in front of it that drops headers", store.ErrStore, conditions[i].says)
			}
			return err
		})
	}
	return false, s.explain("checking the store", err)
}

// other is a tag of the same form that no value has.
func other(tag string) string {
	i := strings.LastIndexFunc(tag, func(r rune) bool {
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	})
	digit := "0"
	if i < 0 || tag[i] == '0' {
		digit = "1"
	}
	return tag[:max(i, 0)] + digit + tag[i+1:]
}

// View reads one document where it shows a row as this process wrote it and holds it: no process of
// another layout has taken a row, since it would have deleted this one first.
func (s *place) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v := store.View{Pool: p, Others: map[store.Pool]store.Row{}}
	k := rows.Key{Layout: p.Layout, Worker: first}
	seen, err := rows.Rows{}, error(nil)
	if held, holds := s.holds(k); holds && first == last {
		var d *document
		if d, err = s.load(ctx, partOf(first)); err == nil && d.rows[k].Nonce == held {
			seen[k] = d.rows[k]
		}
	}
	if err == nil && len(seen) == 0 {
		seen, err = s.list(ctx, p.Layout)
	}
	if err != nil {
		return store.View{}, s.explain("reading worker ids", err)
	}
	seen.View(&v, first, last)
	now := s.reading()
	v.Now, v.Grain = now.Now, now.Grain
	return v, nil
}

func (s *place) holds(k rows.Key) (store.Nonce, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	nonce, holds := s.held[k]
	return nonce, holds
}

// list reads all rows, those of other layouts after those of this one.
func (s *place) list(ctx context.Context, layout string) (rows.Rows, error) {
	all := rows.Rows{}
	for _, own := range []bool{true, false} {
		var docs [parts]*document
		if err := s.each(ctx, parts, func(part int) (err error) {
			docs[part], err = s.load(ctx, part)
			return err
		}); err != nil {
			return nil, err
		}
		for _, d := range docs {
			for k, r := range d.rows {
				if own == (k.Layout == layout) {
					all[k] = r
				}
			}
		}
	}
	return all, nil
}

func (s *place) Now(ctx context.Context) (time.Time, error) {
	v, err := s.fetch(ctx, 0)
	return v.Shown.Add(v.Grain), s.explain("asking for the time", err)
}

// Create remembers in each document that it was done: if a request is repeated on its way, the
// answer may be that it was refused, and others may have opened, used and deleted the rows since.
func (s *place) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	name := s.text()
	return s.explain("creating rows of worker ids", s.many(ctx, workers,
		func(d *document, mine []int64, now time.Time) bool {
			if _, done := d.made[name]; done || !d.rows.Create(p, mine, nonce) {
				return false
			}
			d.made[name] = now
			return true
		}))
}

func (s *place) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	return s.explain("opening rows of worker ids", s.many(ctx, workers,
		func(d *document, mine []int64, _ time.Time) bool {
			return d.rows.Open(p, mine, created, opened)
		}))
}

// many changes the documents that have the rows of these worker ids, each with its own.
func (s *place) many(ctx context.Context, workers []int64,
	how func(d *document, mine []int64, now time.Time) bool) error {
	var mine [parts][]int64
	for _, id := range workers {
		mine[partOf(id)] = append(mine[partOf(id)], id)
	}
	return s.each(ctx, parts, func(part int) (err error) {
		if len(mine[part]) > 0 {
			_, err = s.change(ctx, part, func(d *document, now time.Time) bool {
				return how(d, mine[part], now)
			})
		}
		return err
	})
}

// Write uses the time that the last document showed. An earlier time never allows more. It is
// certain that nothing was written where it has only lost races.
func (s *place) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	k := rows.Key{Layout: w.Layout, Worker: w.Worker}
	sent, was := false, false
	applied, err = s.change(ctx, partOf(w.Worker), func(d *document, now time.Time) bool {
		if was = sent && d.rows[k].Nonce == w.Nonce; was { // a repetition of the request was refused
			return false
		}
		changes := w.Epoch == "" && w.Floor == 0 && d.rows.Write(w, now) // it keeps neither
		sent = sent || changes
		return changes
	})
	if applied = applied || was; applied {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.held[k] = w.Nonce; w.Release {
			delete(s.held, k)
		}
	}
	if errors.Is(err, errRaces) {
		err = nil
	}
	return applied, s.explain(fmt.Sprint("writing worker id ", w.Worker), err)
}

// Delete goes from one document to the next. A row that is taken meanwhile is deleted too.
func (s *place) Delete(ctx context.Context, layout string) error {
	return s.explain("deleting rows of worker ids", s.each(ctx, parts, func(part int) error {
		_, err := s.change(ctx, part, func(d *document, _ time.Time) bool {
			return d.rows.Delete(layout)
		})
		return err
	}))
}
