package ringbuffer

import (
	"sync/atomic"
	"testing"

	"github.com/ringuid/ringuid/internal/cacheline"
)

// A taker that finds the ring empty fills it, so that these figures have the
// cost of a put in them and need no second goroutine.
func refill(r *Ring, next *atomic.Int64) {
	for r.Put(next.Add(MaxSpan), r.Span()) {
	}
}

func newRing(b *testing.B) (*Ring, *atomic.Int64) {
	r, err := New(256, MaxSpan, 0)
	if err != nil {
		b.Fatal(err)
	}
	return r, new(atomic.Int64)
}

func BenchmarkTake(b *testing.B) {
	r, next := newRing(b)
	for b.Loop() {
		if _, s := r.Take(); s == Empty {
			refill(r, next)
		}
	}
}

func BenchmarkTakeParallel(b *testing.B) {
	r, next := newRing(b)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, s := r.Take(); s == Empty {
				refill(r, next)
			}
		}
	})
}

func BenchmarkTakeSpan(b *testing.B) {
	r, next := newRing(b)
	for b.Loop() {
		if _, _, s := r.TakeSpan(MaxSpan); s == Empty {
			refill(r, next)
		}
	}
}

// The yardstick: every other figure is read as a ratio to this one.
func BenchmarkAtomicAdd(b *testing.B) {
	var x struct {
		_ cacheline.Pad
		n atomic.Int64
		_ cacheline.Pad
	}
	for b.Loop() {
		x.n.Add(1)
	}
}

func BenchmarkAtomicAddParallel(b *testing.B) {
	var x struct {
		_ cacheline.Pad
		n atomic.Int64
		_ cacheline.Pad
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			x.n.Add(1)
		}
	})
}
