package main

import (
	"time"

	bwmarrin "github.com/bwmarrin/snowflake"
	"github.com/sony/sonyflake/v2"
	"github.com/yitter/idgenerator-go/idgen"
)

// snowflakes are the rivals whose ids are a time, a worker and a number under a lock.
func snowflakes() []candidate {
	const (
		bwmarrinModule  = "github.com/bwmarrin/snowflake"
		sonyflakeModule = "github.com/sony/sonyflake/v2"
		yitterModule    = "github.com/yitter/idgenerator-go"
	)
	return []candidate{{
		name:   "bwmarrin/snowflake",
		module: bwmarrinModule,
		limit:  "4096 in 1 ms",
		open:   func() (subject, error) { g, err := openBwmarrin(); return limited(g), err },
	}, {
		name: "bwmarrin/snowflake", variant: "21 step bits",
		module: bwmarrinModule,
		open:   openBwmarrinWide,
	}, {
		name:   "sony/sonyflake",
		module: sonyflakeModule,
		limit:  "256 in 10 ms",
		faults: "sleeps with its lock held when a tick is used up",
		open:   func() (subject, error) { g, err := openSonyflake(sonyflake.Settings{}); return limited(g), err },
	}, {
		name: "sony/sonyflake", variant: "30 sequence bits",
		module: sonyflakeModule,
		open: func() (subject, error) {
			// They leave 32 bits for ticks of 10 ms, 497 days.
			return openSonyflake(sonyflake.Settings{
				BitsSequence: 30, BitsMachineID: 1, StartTime: time.Now().Add(-time.Hour),
			})
		},
	}, {
		name:   "yitter/idgenerator-go",
		module: yitterModule,
		limit:  "59 in 1 ms",
		open:   func() (subject, error) { return limited(openYitter(6)), nil },
	}, {
		name: "yitter/idgenerator-go", variant: "16 sequence bits",
		module: yitterModule,
		faults: "its ids lose the worker id, which is shifted in 16 bits",
		open:   func() (subject, error) { return openYitter(16), nil },
	}}
}

func openBwmarrin() (*generator[bwmarrin.ID], error) {
	node, err := bwmarrin.NewNode(1)
	return numbers(shared(func(dst []bwmarrin.ID) (int, error) {
		for i := range dst {
			dst[i] = node.Generate()
		}
		return len(dst), nil
	})), err
}

// openBwmarrinWide sets the bits as they can be set, for the whole package; a
// node keeps those that it was made with.
func openBwmarrinWide() (subject, error) {
	defer func(node, step uint8) {
		bwmarrin.NodeBits, bwmarrin.StepBits = node, step
	}(bwmarrin.NodeBits, bwmarrin.StepBits)
	bwmarrin.NodeBits, bwmarrin.StepBits = 1, 21
	return openBwmarrin()
}

func openSonyflake(s sonyflake.Settings) (*generator[int64], error) {
	s.MachineID = func() (int, error) { return 1, nil }
	flake, err := sonyflake.New(s)
	return numbers(shared(func(dst []int64) (int, error) {
		for i := range dst {
			id, err := flake.NextID()
			if err != nil {
				return i, err
			}
			dst[i] = id
		}
		return len(dst), nil
	})), err
}

func openYitter(seqBits byte) *generator[int64] {
	settings := idgen.NewIdGeneratorOptions(1)
	settings.SeqBitLength = seqBits
	g := idgen.NewDefaultIdGenerator(settings)
	return numbers(shared(func(dst []int64) (int, error) {
		for i := range dst {
			dst[i] = g.NewLong()
		}
		return len(dst), nil
	}))
}
