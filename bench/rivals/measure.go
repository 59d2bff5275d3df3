package main

import (
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A taker is what one goroutine takes ids with: it fills dst and returns how many
// ids it got, fewer only with an error. Each taker's loop calls its generator
// directly, as a user would, with nothing in between that could be told from the
// generator's own cost.
type taker[T any] func(dst []T) (int, error)

// A generator of ids of type T, opened.
type generator[T any] struct {
	newTaker func() taker[T] // a new one for each goroutine
	order    func(a, b T) int
	negative func(T) bool // nil: they have no sign
	chunk    int          // ids that a taker is asked for at once
	shut     func() error // nil: nothing to close
}

// A subject is a generator whose type of ids does not matter.
type subject interface {
	measure(goroutines int, atLeast time.Duration) reading
	allocs() (perID float64, known bool)
	check(ids, goroutines int, atMost time.Duration) finding
	bytes() int
	close() error
}

// Sizes of a chunk: what stays in the first cache, and what a generator that
// makes only so many ids a second has soon.
const (
	manyIDs = 1024
	fewIDs  = 64
)

// A reading is what came of a slice.
type reading struct {
	ids    int64
	errors int64
	took   time.Duration // wall time
}

// ns returns the wall time per id in nanoseconds, +Inf when there was no id.
func (r reading) ns() float64 { return float64(r.took) / float64(r.ids) }

// measure takes ids from so many goroutines that begin at the same moment, and
// stops when the time is over and each has finished its chunk.
func (g *generator[T]) measure(goroutines int, atLeast time.Duration) (r reading) {
	var (
		ready, done sync.WaitGroup
		begin       = make(chan struct{})
		over        atomic.Bool
		ids, errs   atomic.Int64
	)
	ready.Add(goroutines)
	for range goroutines {
		done.Go(func() {
			take, dst := g.newTaker(), make([]T, g.chunk)
			_, _ = take(dst) // the first ids pay for cold caches
			ready.Done()
			<-begin
			var got, bad int64
			for !over.Load() {
				n, err := take(dst)
				got += int64(n)
				if err != nil {
					bad++
				}
			}
			ids.Add(got)
			errs.Add(bad)
		})
	}
	ready.Wait()
	start := time.Now()
	alarm := time.AfterFunc(atLeast, func() { over.Store(true) })
	defer alarm.Stop()
	close(begin)
	done.Wait()
	return reading{ids.Load(), errs.Load(), time.Since(start)}
}

// allocs returns how often a take allocates: the least of a few chunks, as other
// goroutines allocate too. It is not known of a generator that gave no id.
func (g *generator[T]) allocs() (perID float64, known bool) {
	const tries = 5
	take, dst := g.newTaker(), make([]T, g.chunk)
	_, _ = take(dst)
	for range tries {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, _ := take(dst)
		runtime.ReadMemStats(&after)
		if n == 0 {
			continue
		}
		each := float64(after.Mallocs-before.Mallocs) / float64(n)
		if !known || each < perID {
			perID, known = each, true
		}
	}
	return perID, known
}

func (g *generator[T]) bytes() int { return int(reflect.TypeFor[T]().Size()) }

func (g *generator[T]) close() error {
	if g.shut == nil {
		return nil
	}
	return g.shut()
}

// newBaseline is what all are measured against: goroutines that add to one counter,
// and do nothing else.
func newBaseline() *generator[int64] {
	shared := new(counter)
	return &generator[int64]{
		chunk: manyIDs,
		newTaker: func() taker[int64] {
			return func(dst []int64) (int, error) {
				for range dst {
					shared.count.Add(1)
				}
				return len(dst), nil
			}
		},
	}
}
