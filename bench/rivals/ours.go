package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// The layouts: one of seconds that last for as many ids as a run can take, and
// for the generator that follows the clock, one whose seconds hold more ids than
// it can make. They begin today, so that neither is ever over: the ids are thrown away.
func borrowing() uid.Layout { return layout(45, 5, 13) }
func roomy() uid.Layout     { return layout(28, 3, 32) }

func layout(timeBits, workerBits, seqBits int) uid.Layout {
	l := uid.DefaultLayout
	l.Epoch = time.Now().UTC().Truncate(24 * time.Hour)
	l.TimeBits, l.WorkerBits, l.SeqBits = timeBits, workerBits, seqBits
	return l
}

func ours() []candidate {
	return []candidate{{
		name: "ringuid", variant: "GetUID",
		note: "what one goroutine takes grows",
		ours: true,
		open: cached(false, func(g *uid.CachedGenerator) taker[uid.ID] {
			return func(dst []uid.ID) (int, error) { return fill(dst, g) }
		}),
	}, {
		name: "ringuid", variant: "GetUID Relaxed",
		note: "a span per CPU, in no order",
		ours: true,
		open: cached(true, func(g *uid.CachedGenerator) taker[uid.ID] {
			return func(dst []uid.ID) (int, error) { return fill(dst, g) }
		}),
	}, {
		name: "ringuid", variant: "Stream",
		note: "one for each goroutine; it grows",
		ours: true,
		open: cached(false, func(g *uid.CachedGenerator) taker[uid.ID] {
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
	}, {
		name: "ringuid", variant: "AppendUIDs 1024",
		note: "per id of a batch",
		ours: true,
		open: cached(false, func(g *uid.CachedGenerator) taker[uid.ID] {
			return func(dst []uid.ID) (int, error) {
				ids, err := g.AppendUIDs(dst[:0], len(dst))
				return len(ids), err
			}
		}),
	}, {
		name: "ringuid", variant: "DefaultGenerator",
		note: "reads the clock for each id; 32 sequence bits in seconds",
		ours: true,
		open: following(func(dst []uid.ID, g *uid.DefaultGenerator) (int, error) {
			for i := range dst {
				id, err := g.GetUID()
				if err != nil {
					return i, err
				}
				dst[i] = id
			}
			return len(dst), nil
		}),
	}, {
		name: "ringuid", variant: "DefaultGenerator, AppendUIDs 1024",
		note: "reads the clock for each batch",
		ours: true,
		open: following(func(dst []uid.ID, g *uid.DefaultGenerator) (int, error) {
			ids, err := g.AppendUIDs(dst[:0], len(dst))
			return len(ids), err
		}),
	}}
}

// fill takes ids one by one.
func fill(dst []uid.ID, g *uid.CachedGenerator) (int, error) {
	for i := range dst {
		id, err := g.GetUID()
		if err != nil {
			return i, err
		}
		dst[i] = id
	}
	return len(dst), nil
}

func cached(relaxed bool, takers func(*uid.CachedGenerator) taker[uid.ID]) func() (subject, error) {
	return func() (subject, error) {
		c := quiet(borrowing())
		c.Relaxed = relaxed
		g, err := uid.NewCached(context.Background(), worker.Static(1), c)
		if err != nil {
			return nil, err
		}
		s := numbers(func() taker[uid.ID] { return takers(g) })
		s.shut = g.Close
		return s, nil
	}
}

func following(take func([]uid.ID, *uid.DefaultGenerator) (int, error)) func() (subject, error) {
	return func() (subject, error) {
		g, err := uid.NewDefault(context.Background(), worker.Static(1), quiet(roomy()))
		if err != nil {
			return nil, err
		}
		s := numbers(shared(func(dst []uid.ID) (int, error) { return take(dst, g) }))
		s.shut = g.Close
		return s, nil
	}
}

// quiet silences the warning about static worker ids, whose ids are thrown away
// here.
func quiet(l uid.Layout) uid.Config {
	return uid.Config{Layout: l, AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)}
}
