package uid

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// The figures to look at are ratios to the shared atomic add of the same run, and to
// the same in a call, the least that ids in one order can cost: see
// docs/performance.md.

var benchLayout = Layout{Epoch: DefaultLayout.Epoch, Unit: DefaultLayout.Unit, TimeBits: 45,
	WorkerBits: 5, SeqBits: 13}

func benchCached(b *testing.B) *CachedGenerator {
	g, err := NewCached(b.Context(), worker.Static(1),
		Config{Layout: benchLayout, AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)})
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

func BenchmarkAtomicAddParallel(b *testing.B) {
	var x sharedCounter
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			x.n.Add(1)
		}
	})
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

func BenchmarkAtomicCallParallel(b *testing.B) {
	var x sharedCounter
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := x.next(); err != nil {
				b.Error(err)
				return
			}
		}
	})
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

func BenchmarkCachedParallel(b *testing.B) {
	g := benchCached(b)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := g.GetUID(); err != nil {
				b.Fatal(err)
			}
		}
	})
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

// What a call that asks for the time and gives out ids in one order would do at
// first sight.
func BenchmarkTimeNowAndAdd(b *testing.B) {
	var x sharedCounter
	for b.Loop() {
		x.stamp()
	}
}

func BenchmarkTimeNowAndAddParallel(b *testing.B) {
	var x sharedCounter
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			x.stamp()
		}
	})
}

//go:noinline
func (c *sharedCounter) stamp() (time.Time, int64) { return time.Now(), c.n.Add(1) }

// benchDefault has ticks that hold more ids than it can make.
func benchDefault(b *testing.B) *DefaultGenerator {
	layout := Layout{Epoch: DefaultLayout.Epoch, Unit: DefaultLayout.Unit, TimeBits: 28, WorkerBits: 3,
		SeqBits: 32}
	g, err := NewDefault(b.Context(), worker.Static(1),
		Config{Layout: layout, AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)})
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

func BenchmarkDefaultParallel(b *testing.B) {
	g := benchDefault(b)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := g.GetUID(); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkDefaultBatch counts an id as an operation.
func BenchmarkDefaultBatch(b *testing.B) {
	const batch = 1024
	g := benchDefault(b)
	ids := make([]ID, 0, batch)
	b.ResetTimer()
	for n := 0; n < b.N; n += batch {
		if _, err := g.AppendUIDs(ids, batch); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKey(b *testing.B) {
	k := benchDefault(b).Keyed().Key("orders")
	for b.Loop() {
		if _, err := k.GetUID(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKeyed(b *testing.B) {
	k := benchDefault(b).Keyed()
	for b.Loop() {
		if _, err := k.GetUID("orders"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTicks takes from layouts with ticks of few ids, whose worker id is below the
// sequence, and from one with long ticks. An operation is an id.
func BenchmarkTicks(b *testing.B) {
	for _, text := range []string{"tsw:39/8/16@10ms", "tsw:41/6/16@1ms", "tsw:45/8/10@1ms",
		"tsw:49/4/10@1ms", "tsw:53/0/10@1ms", "tws:45/5/13"} {
		layout, err := ParseLayout(text)
		if err != nil {
			b.Fatal(err)
		}
		layout.Epoch = DefaultLayout.Epoch
		open := func(b *testing.B) *CachedGenerator {
			g, err := NewCached(b.Context(), worker.Static(1),
				Config{Layout: layout, AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { g.Close() })
			b.ResetTimer()
			return g
		}
		b.Run(text+"/GetUID", func(b *testing.B) { benchTakes(b, open(b)) })
		b.Run(text+"/Stream", func(b *testing.B) { benchTakes(b, open(b).Stream()) })
		b.Run(text+"/Batch", func(b *testing.B) {
			const batch = 10_000
			g, ids := open(b), make([]ID, 0, batch)
			for n := 0; n < b.N; n += batch {
				if _, err := g.AppendUIDs(ids, batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchTakes(b *testing.B, g taker) {
	for range b.N {
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

func BenchmarkStreamParallel(b *testing.B) {
	g := benchCached(b)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		s := g.Stream()
		for pb.Next() {
			if _, err := s.GetUID(); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func benchRelaxed(b *testing.B) *CachedGenerator {
	g, err := NewCached(b.Context(), worker.Static(1), Config{Layout: benchLayout, Relaxed: true,
		AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { g.Close() })
	return g
}

func BenchmarkRelaxed(b *testing.B) {
	g := benchRelaxed(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.GetUID(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRelaxedParallel(b *testing.B) {
	g := benchRelaxed(b)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := g.GetUID(); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkFence is what a fence costs on a layout whose ticks outrun the
// machine: read "leased" against "static".
func BenchmarkFence(b *testing.B) {
	layout := Layout{Epoch: DefaultLayout.Epoch, Unit: DefaultLayout.Unit, TimeBits: 28, WorkerBits: 5,
		SeqBits: 30}
	store := memstore.New()
	ns, err := worker.NewNamespace("default", layout.Need(), 0, layout.MaxWorker(), 0)
	if err == nil {
		err = store.Init(b.Context(), ns, worker.InitOptions{Fresh: true})
	}
	if err != nil {
		b.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	for name, a := range map[string]worker.Assigner{
		"static": worker.Static(1),
		"leased": worker.Leased(store, worker.Claim{Logger: logger}),
	} {
		b.Run(name, func(b *testing.B) {
			g, err := NewCached(b.Context(), a, Config{Layout: layout, AllowRepeats: true, Logger: logger})
			if err != nil {
				b.Fatal(err)
			}
			defer g.Close()
			for b.Loop() {
				if _, err := g.GetUID(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPaced takes ten million ids a second from one goroutine and reports
// how long a take itself took, the clock's own cost in it.
func BenchmarkPaced(b *testing.B) {
	g := benchCached(b)
	took := make([]time.Duration, b.N)
	clear(took)
	b.ResetTimer()
	start := time.Now()
	for i := range took {
		due := start.Add(time.Duration(i) * 100 * time.Nanosecond)
		now := time.Now()
		for now.Before(due) {
			now = time.Now()
		}
		if _, err := g.GetUID(); err != nil {
			b.Fatal(err)
		}
		took[i] = time.Since(now)
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*9999/10000]), "p99.99-ns")
}

// BenchmarkWaiters has that many goroutines take from one ring, as fast as it goes
// and from a layout that holds 64,000 ids a second and borrows none. An operation
// is an id; "failed" are takes that returned an error.
func BenchmarkWaiters(b *testing.B) {
	limited := Config{Layout: benchLayout, MaxAhead: time.Millisecond}
	limited.Layout.Unit, limited.Layout.SeqBits, limited.Layout.TimeBits = time.Millisecond, 6, 50
	for name, c := range map[string]Config{"borrowing": {Layout: benchLayout}, "limited": limited} {
		for _, n := range []int{10, 1_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				c.Logger, c.AllowRepeats = slog.New(slog.DiscardHandler), true
				g, err := NewCached(b.Context(), worker.Static(1), c)
				if err != nil {
					b.Fatal(err)
				}
				defer g.Close()
				benchWaiters(b, g, n)
			})
		}
	}
}

func benchWaiters(b *testing.B, g *CachedGenerator, n int) {
	var wg sync.WaitGroup
	var failed atomic.Int64
	start := make(chan struct{})
	left := b.N
	for i := range n {
		share := left / (n - i)
		left -= share
		wg.Go(func() {
			<-start
			for range share {
				if _, err := g.GetUID(); err != nil {
					failed.Add(1)
				}
			}
		})
	}
	b.ResetTimer()
	close(start)
	wg.Wait()
	b.ReportMetric(float64(failed.Load()), "failed")
}

// BenchmarkSlowTakes rejects takes from an empty ring, as Baidu's does, and takes
// one id in about a microsecond from rings of few ids.
func BenchmarkSlowTakes(b *testing.B) {
	for seqBits := 3; seqBits <= 6; seqBits++ {
		b.Run(fmt.Sprintf("%d", 2<<seqBits), func(b *testing.B) {
			layout := benchLayout
			layout.SeqBits, layout.TimeBits = seqBits, 50
			g, err := NewCached(b.Context(), worker.Static(1), Config{
				Layout: layout, BoostPower: 1, RejectTake: policy.Fail, RejectPut: policy.Discard,
				AllowRepeats: true, Logger: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				b.Fatal(err)
			}
			defer g.Close()
			rejected := 0
			for range b.N {
				if _, err := g.GetUID(); err != nil {
					rejected++
				}
				for start := time.Now(); time.Since(start) < time.Microsecond; {
				}
			}
			b.ReportMetric(100*float64(rejected)/float64(b.N), "rejected-%")
		})
	}
}

// BenchmarkReady is what a readiness probe costs.
func BenchmarkReady(b *testing.B) {
	for name, g := range map[string]Generator{"cached": benchCached(b), "default": benchDefault(b)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := g.Ready(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
