package ringbuffer

import (
	"math"
	"sync"
	"testing"
)

// A taker that finds the ring empty fills it, so that these figures have the
// cost of a put in them and need no second goroutine.
func refill(r *Ring, next *refills) {
	next.Lock()
	defer next.Unlock()
	for r.Put(next.first, int(r.span)) {
		next.first += int64(r.span)
	}
}

type refills struct {
	sync.Mutex
	first int64
}

func ringOf(b *testing.B) (*Ring, *refills) {
	r, err := newRing(16, MaxSpan, 0, math.MaxInt64)
	if err != nil {
		b.Fatal(err)
	}
	return r, new(refills)
}

func BenchmarkTake(b *testing.B) {
	r, next := ringOf(b)
	for b.Loop() {
		if _, ok, _ := r.take(); !ok {
			refill(r, next)
		}
	}
}

func BenchmarkTakeSpan(b *testing.B) {
	r, next := ringOf(b)
	for b.Loop() {
		if _, n, _ := r.TakeSpan(256); n == 0 {
			refill(r, next)
		}
	}
}
