package main

import (
	"crypto/rand"
	"slices"
	"time"

	"github.com/beinan/fastid"
	bwmarrin "github.com/bwmarrin/snowflake"
	"github.com/edwingeng/slog"
	"github.com/edwingeng/wuid/callback/wuid"
	godruoyi "github.com/godruoyi/go-snowflake"
	gofrs "github.com/gofrs/uuid/v5"
	google "github.com/google/uuid"
	"github.com/muyo/sno"
	"github.com/oklog/ulid/v2"
	"github.com/rs/xid"
	"github.com/segmentio/ksuid"
	"github.com/sony/sonyflake/v2"
	"github.com/yitter/idgenerator-go/idgen"
)

// A rival is a generator that can be measured: one of this project's, or another one, set up as
// its documentation says. A rival that its sequence bits hold back is listed a second time with
// as many bits as it takes, so that its own cost shows.
type rival struct {
	name   string // of a benchmark, so without blanks
	limit  string // how many ids it makes before it waits for the clock; "": no limit
	faults string // what is known to be wrong with it
	note   string // what a reader must know to compare it
	open   func() (subject, error)
}

// all returns the rivals, ours among them.
func all() []rival {
	return slices.Concat(ours(), lockFree(), snowflakes(), wide(),
		standardUUIDs())
}

// lockFree returns the rivals that take no lock. What each does to which word decides whether
// its ids can be equal.
func lockFree() []rival {
	return []rival{
		{
			name: "edwingeng/wuid", open: openWuid, note: "no time in the id",
			faults: "panics after 66 G ids when its store gave it no new section",
		},
		{
			name: "muyo/sno", limit: "65,536 in 4 ms", open: openSno,
			faults: "equal ids: compares the clock, then adds, " +
				"and another goroutine resets the sequence in between",
		},
		{
			name: "beinan/fastid", note: "its BenchmarkConfig: 32,768 in 1 ms",
			faults: "repeats ids when the clock is set back",
			open: func() (subject, error) {
				g := fastid.ConstructConfigWithMachineID(40, 15, 8, 1)
				return each(func() (int64, error) { return g.GenInt64ID(), nil }), nil
			},
		},
		{
			name: "godruoyi/go-snowflake", limit: "4095 in 1 ms",
			faults: "equal ids: swaps time and sequence one after the other; " +
				"up to 4 in 20 M were seen on 2026-11-20",
			open: func() (subject, error) { return each(godruoyi.NextID), nil },
		},
	}
}

func openWuid() (subject, error) {
	g := wuid.NewWUID("rivals", slog.NewDumbLogger())
	section := int64(0)
	err := g.LoadH28WithCallback(func() (int64, func(), error) {
		section++
		return section, nil, nil
	})
	return shared(func(dst []int64) (int, error) { // written out: it is fast
		for i := range dst {
			dst[i] = g.Next()
		}
		return len(dst), nil
	}), err
}

func openSno() (subject, error) {
	g, err := sno.NewGenerator(&sno.GeneratorSnapshot{Partition: sno.Partition{0, 1}}, nil)
	return each(func() (sno.ID, error) { return g.New(0), nil }), err
}

// snowflakes returns rivals whose ids are a time, a worker and a number, made under a lock.
func snowflakes() []rival {
	return []rival{
		{name: "bwmarrin/snowflake", limit: "4096 in 1 ms", open: openBwmarrin},
		{name: "bwmarrin/snowflake,21-step-bits", open: openBwmarrinWide},
		{
			name: "sony/sonyflake", limit: "256 in 10 ms",
			faults: "sleeps with its lock held when a tick is used up",
			open:   func() (subject, error) { return openSonyflake(sonyflake.Settings{}) },
		},
		{
			name: "sony/sonyflake,30-sequence-bits",
			open: func() (subject, error) {
				// These settings leave 32 bits for ticks of 10 ms: 497 days.
				return openSonyflake(sonyflake.Settings{
					BitsSequence: 30, BitsMachineID: 1, StartTime: time.Now().Add(-time.Hour),
				})
			},
		},
		{
			name: "yitter/idgenerator-go", limit: "59 in 1 ms",
			open: func() (subject, error) { return openYitter(6), nil },
		},
		{
			name:   "yitter/idgenerator-go,16-sequence-bits",
			faults: "its ids lose the worker id, which is shifted in 16 bits",
			open:   func() (subject, error) { return openYitter(16), nil },
		},
	}
}

func openBwmarrin() (subject, error) {
	node, err := bwmarrin.NewNode(1)
	return each(func() (bwmarrin.ID, error) { return node.Generate(), nil }), err
}

// openBwmarrinWide sets the bits in the only way possible, for the whole package; a node keeps
// those that it was made with.
func openBwmarrinWide() (subject, error) {
	defer func(node, step uint8) {
		bwmarrin.NodeBits, bwmarrin.StepBits = node, step
	}(bwmarrin.NodeBits, bwmarrin.StepBits)
	bwmarrin.NodeBits, bwmarrin.StepBits = 1, 21
	return openBwmarrin()
}

func openSonyflake(s sonyflake.Settings) (subject, error) {
	s.MachineID = func() (int, error) { return 1, nil }
	flake, err := sonyflake.New(s)
	if err != nil {
		return nil, err
	}
	return each(flake.NextID), nil
}

func openYitter(seqBits byte) subject {
	settings := idgen.NewIdGeneratorOptions(1)
	settings.SeqBitLength = seqBits
	g := idgen.NewDefaultIdGenerator(settings)
	return each(func() (int64, error) { return g.NewLong(), nil })
}

// wide returns the generators whose ids have more than 64 bits.
func wide() []rival {
	return []rival{
		{
			name: "rs/xid", faults: "of more than 2^24 ids in a second some are equal",
			open: func() (subject, error) {
				return each(func() (xid.ID, error) { return xid.New(), nil }), nil
			},
		},
		{
			name:   "oklog/ulid",
			faults: "its random bits are of math/rand, seeded with the clock: they can be guessed",
			open: func() (subject, error) {
				return each(func() (ulid.ULID, error) { return ulid.Make(), nil }), nil
			},
		},
		{name: "google/uuid,V7", open: func() (subject, error) { return each(google.NewV7), nil }},
		{
			name: "google/uuid,V4", note: "random alone: no time, no order",
			open: func() (subject, error) { return each(google.NewRandom), nil },
		},
		{name: "gofrs/uuid,V7", open: func() (subject, error) { return each(gofrs.NewV7), nil }},
		{
			name: "segmentio/ksuid", note: "in no order within a second",
			open: func() (subject, error) { return each(ksuid.NewRandom), nil },
		},
		{
			name: "crypto/rand.Text", note: "26 characters, random alone: no time, no order",
			open: func() (subject, error) {
				return each(func() (string, error) { return rand.Text(), nil }), nil
			},
		},
	}
}
