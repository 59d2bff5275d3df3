package uid

import (
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/worker"
)

// The figures to look at are ratios to the shared atomic add of the same run, and to
// the same in a call, the least that ids in one order can cost: see
// docs/performance.md.

var benchLayout = Layout{Epoch: DefaultLayout().Epoch, Unit: DefaultLayout().Unit, TimeBits: 45,
	WorkerBits: 5, SeqBits: 13}

func benchCached(b *testing.B) *CachedGenerator {
	return benchGenerator(b, settings{Layout: benchLayout, MaxLag: -1})
}

func benchGenerator(b *testing.B, c settings) *CachedGenerator {
	c.Logger, c.AllowRepeats = slog.New(slog.DiscardHandler), true
	g, err := newCached(b.Context(), worker.Static(1), c)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { g.Close() })
	return g
}

type sharedCounter struct {
	_ cacheline.Pad
	n atomic.Int64
	_ cacheline.Pad
}

func BenchmarkAtomicAdd(b *testing.B) {
	var x sharedCounter
	for b.Loop() {
		x.n.Add(1)
	}
}

// next is what a call that gives out ids in one order can do least.
//
//go:noinline
func (c *sharedCounter) next() (ID, error) { return ID(c.n.Add(1)), nil }

func BenchmarkAtomicCall(b *testing.B) {
	var x sharedCounter
	for b.Loop() {
		if _, err := x.next(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCached(b *testing.B) {
	g := benchCached(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.GetUID(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPresent takes from an empty ring: 200 ids in each millisecond, in one goroutine or
// several at once, for which it pays no ring. Its figure is the median of those 200.
func BenchmarkPresent(b *testing.B) {
	for _, goroutines := range []int{1, 2, 8} {
		b.Run(fmt.Sprint(goroutines), func(b *testing.B) {
			g := benchGenerator(b, settings{Layout: SnowflakeLayout()})
			rounds := make([][]time.Duration, goroutines)
			var wg sync.WaitGroup
			for i := range goroutines {
				wg.Go(func() {
					for range max(b.N/200, 1) {
						for at := g.mono() / maxSegment; g.mono()/maxSegment == at; {
							runtime.Gosched()
						}
						begin := time.Now()
						for range 200 / goroutines {
							if _, err := g.GetUID(); err != nil {
								b.Error(err)
							}
						}
						rounds[i] = append(rounds[i], time.Since(begin))
					}
				})
			}
			wg.Wait()
			all := slices.Sorted(slices.Values(slices.Concat(rounds...)))
			b.ReportMetric(float64(all[len(all)/2])/float64(200/goroutines), "ns/take-median")
			b.ReportMetric(float64(g.Stats().Refills), "refills")
		})
	}
}

// BenchmarkCachedBatch counts an id as an operation.
func BenchmarkCachedBatch(b *testing.B) {
	const batch = 1024
	g := benchCached(b)
	ids := make([]ID, 0, batch)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += batch {
		if _, err := g.AppendUIDs(ids, batch); err != nil {
			b.Fatal(err)
		}
	}
}

// benchDefault has ticks that hold more ids than it can make.
func benchDefault(b *testing.B) *DefaultGenerator {
	layout := DefaultLayout()
	layout.WorkerBits, layout.SeqBits = 3, 32
	g, err := newDefault(b.Context(), worker.Static(1),
		settings{Layout: layout, AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { g.Close() })
	b.ReportAllocs()
	return g
}

func BenchmarkDefault(b *testing.B) {
	g := benchDefault(b)
	for b.Loop() {
		if _, err := g.GetUID(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStream(b *testing.B) {
	s := benchCached(b).Stream()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.GetUID(); err != nil {
			b.Fatal(err)
		}
	}
}
