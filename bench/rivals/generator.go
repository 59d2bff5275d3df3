package main

import (
	"sync"
	"time"
)

// chunk is how many ids a taker is asked for at once: few enough for the first-level cache.
const chunk = 1024

// A taker is what one goroutine takes ids with: it fills dst and returns how many ids it got,
// fewer only with an error.
type taker[T any] func(dst []T) (int, error)

// generator makes ids of type T.
type generator[T comparable] struct {
	newTaker func() taker[T] // a new one for each goroutine
	shut     func() error    // nil: nothing to close
}

// subject is a generator whose type of ids does not matter.
type subject interface {
	// chunks takes chunk ids each time that more returns true.
	chunks(more func() bool) error
	// equal takes ids with this many goroutines at once, until there are as many as wanted or the
	// time is over, and counts those that had been taken already.
	equal(ids, goroutines int, atMost time.Duration) (taken, duplicates int, err error)
	close() error
}

// shared returns a generator whose takers do not differ: the function serves all of them.
func shared[T comparable](take taker[T]) *generator[T] {
	return &generator[T]{newTaker: func() taker[T] { return take }}
}

// each returns a generator from which next takes one id. Calling a function value costs a
// nanosecond or two; generators that are as fast as that have their loops written out.
func each[T comparable](next func() (T, error)) *generator[T] {
	return shared(func(dst []T) (int, error) {
		for i := range dst {
			id, err := next()
			if err != nil {
				return i, err
			}
			dst[i] = id
		}
		return len(dst), nil
	})
}

func (g *generator[T]) chunks(more func() bool) error {
	take, dst := g.newTaker(), make([]T, chunk)
	for more() {
		if _, err := take(dst); err != nil {
			return err
		}
	}
	return nil
}

func (g *generator[T]) equal(ids, goroutines int, atMost time.Duration) (int, int, error) {
	var (
		parts = make([][]T, goroutines)
		errs  = make([]error, goroutines)
		done  sync.WaitGroup
		begin = time.Now()
	)
	for i := range parts {
		done.Go(func() {
			take, part := g.newTaker(), make([]T, (ids+i)/goroutines)
			for got := 0; got < len(part) && errs[i] == nil && time.Since(begin) < atMost; {
				var n int
				n, errs[i] = take(part[got:min(got+chunk/16, len(part))])
				got += n
				parts[i] = part[:got]
			}
		})
	}
	done.Wait()
	seen, taken := make(map[T]struct{}, ids), 0
	for i, part := range parts {
		if errs[i] != nil {
			return 0, 0, errs[i]
		}
		taken += len(part)
		for _, id := range part {
			seen[id] = struct{}{}
		}
	}
	return taken, taken - len(seen), nil
}

func (g *generator[T]) close() error {
	if g.shut == nil {
		return nil
	}
	return g.shut()
}
