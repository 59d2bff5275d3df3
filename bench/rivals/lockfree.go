package main

import (
	"github.com/beinan/fastid"
	"github.com/edwingeng/slog"
	"github.com/edwingeng/wuid/callback/wuid"
	godruoyi "github.com/godruoyi/go-snowflake"
	"github.com/muyo/sno"
)

// lockFree are the rivals that take no lock. What each does at which word is what
// decides whether its ids come twice.
func lockFree() []candidate {
	return []candidate{{
		name:   "edwingeng/wuid",
		module: "github.com/edwingeng/wuid",
		note:   "no time in the id",
		faults: "panics after 66 G ids when its store gave it no new section",
		open:   openWuid,
	}, {
		name:   "muyo/sno",
		module: "github.com/muyo/sno",
		limit:  "65,536 in 4 ms",
		faults: "compares the clock, then adds, and another goroutine resets the sequence in between",
		open:   openSno,
	}, {
		name:   "beinan/fastid",
		module: "github.com/beinan/fastid",
		note:   "its BenchmarkConfig: 32,768 in 1 ms",
		faults: "repeats ids when the clock is set back",
		open: func() (subject, error) {
			g := fastid.ConstructConfigWithMachineID(40, 15, 8, 1)
			return numbers(shared(func(dst []int64) (int, error) {
				for i := range dst {
					dst[i] = g.GenInt64ID()
				}
				return len(dst), nil
			})), nil
		},
	}, {
		name:   "godruoyi/go-snowflake",
		module: "github.com/godruoyi/go-snowflake",
		limit:  "4095 in 1 ms",
		faults: "swaps time and sequence one after the other: up to 4 duplicates in 20 M were seen on 2026-11-20",
		open: func() (subject, error) {
			return limited(numbers(shared(func(dst []uint64) (int, error) {
				for i := range dst {
					id, err := godruoyi.NextID()
					if err != nil {
						return i, err
					}
					dst[i] = id
				}
				return len(dst), nil
			}))), nil
		},
	}}
}

func openWuid() (subject, error) {
	g := wuid.NewWUID("rivals", slog.NewDumbLogger())
	next := int64(0)
	err := g.LoadH28WithCallback(func() (int64, func(), error) {
		next++
		return next, nil, nil
	})
	return numbers(shared(func(dst []int64) (int, error) {
		for i := range dst {
			dst[i] = g.Next()
		}
		return len(dst), nil
	})), err
}

func openSno() (subject, error) {
	g, err := sno.NewGenerator(&sno.GeneratorSnapshot{Partition: sno.Partition{0, 1}}, nil)
	return limited(&generator[sno.ID]{
		order: func(a, b sno.ID) int { return a.Compare(b) },
		newTaker: shared(func(dst []sno.ID) (int, error) {
			for i := range dst {
				dst[i] = g.New(0)
			}
			return len(dst), nil
		}),
	}), err
}
