package k8sstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// MakeNamespace makes the namespace in which a generator finds no worker ids, as Leased
// asks a store that may. Fifty pods that start at once do so at once: one of them gets its
// mark into the book and makes the namespace, and the others wait for it. When that takes too
// long, another one replaces the mark and makes it, too, which does no harm: Init makes what
// is missing, by compare-and-set.
//
// It begins now if neither the book nor any row shows that there were worker ids of
// this layout, and else above all that may have been granted with them.
func (s *Store) MakeNamespace(ctx context.Context, name string, need worker.Need) error {
	doing := "making " + strconv.Quote(name)
	if err := s.usable(ctx); err != nil {
		return s.explain(doing, err)
	}
	if s.first < 0 {
		return s.explain(doing, fmt.Errorf("%w: %q: %s", store.ErrNoNamespace, name, gone))
	}
	n, made, err := s.await(ctx, name, need)
	if !made && err == nil {
		err = s.Init(ctx, n, store.InitOptions{Fresh: true, MaxID: need.MaxID,
			Slack: worker.DefaultSlack})
		_ = s.unmark(ctx, name) // else others wait a little longer
	}
	if err != nil {
		return s.explain(doing, err)
	}
	return nil
}

const (
	patience = 5 * time.Second        // with who makes a namespace, before another one does
	glance   = 100 * time.Millisecond // and how often one looks, on average
)

// await is false when this process is the one to make the namespace, or the rows of one
// that has none, and what is to be made. Its mark is in the book then.
func (s *Store) await(ctx context.Context, name string, need worker.Need) (n store.Namespace,
	made bool, err error) {
	seen, since := "", s.api.clock.Mono()
	for {
		b, err := s.book(ctx)
		if err != nil {
			return n, false, err
		}
		mark := b.data[keyMaking+name]
		if mark != seen {
			seen, since = mark, s.api.clock.Mono()
		}
		if mark == "" || s.api.clock.Mono()-since >= patience {
			n, made, err := s.there(ctx, b, name, need)
			if made || err != nil {
				return n, made, err
			}
			mine, err := s.change(ctx, b, map[string]string{keyMaking + name: newNonce().String()})
			if mine || err != nil {
				return n, false, err
			}
		}
		if !sleep(ctx, glance/2+rand.N(glance)) {
			return n, false, context.Cause(ctx)
		}
	}
}

// there is true when the namespace has rows; else it is what is to be made.
func (s *Store) there(ctx context.Context, b book, name string, need worker.Need) (store.Namespace,
	bool, error) {
	have, err := b.namespace(name)
	if err != nil {
		return have.Namespace, false, err
	}
	if have.Name == "" {
		n, err := worker.NewNamespace(name, need, 0, min(s.first-1, need.MaxID), 0)
		return n, false, err
	}
	rows, _, err := s.rowsOf(ctx, name, have.First, have.Last)
	return have.Namespace, len(rows) > 0, err
}

// unmark takes the mark of who makes a namespace out of the book.
func (s *Store) unmark(ctx context.Context, name string) error {
	for {
		b, err := s.book(ctx)
		if err != nil || b.data[keyMaking+name] == "" {
			return err
		}
		if done, err := s.change(ctx, b, map[string]string{keyMaking + name: ""}); done || err != nil {
			return err
		}
	}
}
