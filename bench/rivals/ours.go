package main

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// The yardsticks: a shared atomic add, and the least that ids in one order can cost when each
// is taken by a call.
const (
	yardstick = "atomic-add"
	aCall     = "a-call-that-adds"
)

// counter has its cache lines to itself: only the goroutines' own adds are to be measured.
type counter struct {
	_     cacheline.Pad
	count atomic.Int64
	_     cacheline.Pad
}

//go:noinline
func (c *counter) next() (int64, error) { return c.count.Add(1), nil }

// ours returns the yardsticks and this project's generators. Each loop calls its generator
// directly, as a user would.
func ours() []rival {
	return []rival{
		{name: yardstick, note: "no generator: what all are compared with", open: openAdd},
		{name: aCall, note: "no generator: it returns an id and an error", open: openCall},
		{
			name: "ringuid,GetUID", note: "what one goroutine takes increases",
			open: cached(func(g *uid.CachedGenerator) taker[uid.ID] {
				return func(dst []uid.ID) (int, error) { return takeEach(dst, g) }
			}),
		},
		{
			name: "ringuid,Stream", note: "one for each goroutine; it increases",
			open: cached(func(g *uid.CachedGenerator) taker[uid.ID] {
				s := g.Stream()
				return func(dst []uid.ID) (int, error) {
					for i := range dst {
						id, err := s.GetUID()
						if err != nil {
							return i, err
						}
						dst[i] = id
					}
					return len(dst), nil
				}
			}),
		},
		{
			name: "ringuid,AppendUIDs", note: "per id of a batch of 1024",
			open: cached(func(g *uid.CachedGenerator) taker[uid.ID] {
				return func(dst []uid.ID) (int, error) {
					ids, err := g.AppendUIDs(dst[:0], len(dst))
					return len(ids), err
				}
			}),
		},
		{
			name: "ringuid,DefaultGenerator", open: openDefault,
			note: "reads the clock for each id; 32 sequence bits in seconds",
		},
	}
}

func openAdd() (subject, error) {
	c := new(counter)
	return shared(func(dst []int64) (int, error) {
		for i := range dst {
			dst[i] = c.count.Add(1)
		}
		return len(dst), nil
	}), nil
}

func openCall() (subject, error) {
	c := new(counter)
	return shared(func(dst []int64) (int, error) {
		for i := range dst {
			id, err := c.next()
			if err != nil {
				return i, err
			}
			dst[i] = id
		}
		return len(dst), nil
	}), nil
}

// takeEach takes ids one by one.
func takeEach(dst []uid.ID, g *uid.CachedGenerator) (int, error) {
	for i := range dst {
		id, err := g.GetUID()
		if err != nil {
			return i, err
		}
		dst[i] = id
	}
	return len(dst), nil
}

func cached(takers func(*uid.CachedGenerator) taker[uid.ID]) func() (subject, error) {
	return func() (subject, error) {
		c := config(45, 5, 13) // enough seconds for all ids that a run can take
		g, err := uid.NewCached(context.Background(), worker.Static(1), c)
		if err != nil {
			return nil, err
		}
		return &generator[uid.ID]{func() taker[uid.ID] { return takers(g) }, g.Close}, nil
	}
}

func openDefault() (subject, error) {
	c := config(28, 3, 32) // its seconds hold more ids than it can make
	g, err := uid.NewDefault(context.Background(), worker.Static(1), c)
	if err != nil {
		return nil, err
	}
	takes := each(g.GetUID)
	takes.shut = g.Close
	return takes, nil
}

// config sets a layout that begins today, so that it is never over: the ids are thrown away.
func config(timeBits, workerBits, seqBits int) uid.Config {
	l := uid.DefaultLayout()
	l.Epoch = time.Now().UTC().Truncate(24 * time.Hour)
	l.TimeBits, l.WorkerBits, l.SeqBits = timeBits, workerBits, seqBits
	return uid.Config{Layout: l, AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)}
}
