// Package rivals measures this project's generators beside others for Go, which run in one process:
//
//	go test -C bench/rivals -run '^$' -bench . -cpu 1,2 -count 6 >rivals.txt
//	benchstat -col /gomaxprocs rivals.txt
//
// They do not all promise the same: some ids have 12 to 26 bytes, some carry no time, and some
// generators make a limited number of ids in a millisecond and then wait for the next one. Those
// are measured a second time with as many sequence bits as they take, so that their own cost shows.
package rivals

import (
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/beinan/fastid"
	"github.com/bwmarrin/snowflake"
	wuidslog "github.com/edwingeng/slog"
	"github.com/edwingeng/wuid/callback/wuid"
	godruoyi "github.com/godruoyi/go-snowflake"
	gofrs "github.com/gofrs/uuid/v5"
	google "github.com/google/uuid"
	"github.com/muyo/sno"
	"github.com/oklog/ulid/v2"
	"github.com/rs/xid"
	"github.com/segmentio/ksuid"
	"github.com/sony/sonyflake/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yitter/idgenerator-go/idgen"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// rivals are this project's generators and others, set up as their documentation says. The names
// are those of benchmarks. What is known to be wrong with one stands beside it.
var rivals = map[string]func(testing.TB) generator{
	"ringuid,GetUID": func(t testing.TB) generator {
		g := cached(t)
		return shared(func(dst []uid.ID) (err error) {
			for i := range dst {
				if dst[i], err = g.GetUID(); err != nil {
					break
				}
			}
			return err
		})
	},
	"ringuid,Stream": func(t testing.TB) generator {
		g := cached(t)
		return takers[uid.ID](func() taker[uid.ID] {
			s := g.Stream()
			return func(dst []uid.ID) (err error) {
				for i := range dst {
					if dst[i], err = s.GetUID(); err != nil {
						break
					}
				}
				return err
			}
		})
	},
	"ringuid,AppendUIDs": func(t testing.TB) generator {
		g := cached(t)
		return shared(func(dst []uid.ID) error {
			_, err := g.AppendUIDs(dst[:0], len(dst))
			return err
		})
	},
	"ringuid,DefaultGenerator": func(t testing.TB) generator {
		g, err := uid.NewDefault(t.Context(), worker.Static(1), uid.DefaultConfig{
			Layout: layout(28, 3, 32), AllowRepeats: true, Logger: quiet})
		require.NoError(t, err)
		t.Cleanup(func() { g.Close() })
		return each(g.GetUID)
	},

	// Without a lock. After 66 G ids for which its store gave it no new section, wuid panics.
	"edwingeng/wuid": func(t testing.TB) generator {
		g, section := wuid.NewWUID("rivals", wuidslog.NewDumbLogger()), int64(0)
		require.NoError(t, g.LoadH28WithCallback(func() (int64, func(), error) {
			section++
			return section, nil, nil
		}))
		return shared(func(dst []int64) error { // written out: it is fast
			for i := range dst {
				dst[i] = g.Next()
			}
			return nil
		})
	},
	// It compares the clock, then adds; another goroutine may reset the sequence in between.
	"muyo/sno,slow": func(t testing.TB) generator {
		g, err := sno.NewGenerator(&sno.GeneratorSnapshot{Partition: sno.Partition{0, 1}}, nil)
		require.NoError(t, err)
		return each(func() (sno.ID, error) { return g.New(0), nil })
	},
	// It repeats ids when the clock is set back.
	"beinan/fastid": func(testing.TB) generator {
		g := fastid.ConstructConfigWithMachineID(40, 15, 8, 1)
		return each(func() (int64, error) { return g.GenInt64ID(), nil })
	},
	// It swaps time and sequence one after the other.
	"godruoyi/go-snowflake,slow": func(testing.TB) generator { return each(godruoyi.NextID) },

	// A time, a worker and a number, under a lock. Its bits are of the whole package; a node keeps
	// those that it was made with.
	"bwmarrin/snowflake,slow": func(t testing.TB) generator { return openBwmarrin(t, 10, 12) },
	"bwmarrin/snowflake,21-step-bits": func(t testing.TB) generator {
		return openBwmarrin(t, 1, 21)
	},
	"sony/sonyflake,slow": func(t testing.TB) generator {
		return openSonyflake(t, sonyflake.Settings{})
	},
	// This leaves 32 bits for ticks of 10 ms: 497 days.
	"sony/sonyflake,30-sequence-bits": func(t testing.TB) generator {
		return openSonyflake(t, sonyflake.Settings{BitsSequence: 30, BitsMachineID: 1,
			StartTime: time.Now().Add(-time.Hour)})
	},
	"yitter/idgenerator-go,slow": func(testing.TB) generator { return openYitter(6) },
	// Its ids lose the worker id, which is shifted in 16 bits.
	"yitter/idgenerator-go,16-sequence-bits": func(testing.TB) generator { return openYitter(16) },

	// More than 64 bits. Of more than 2^24 ids of xid in a second some are equal. ULID's random bits
	// are of math/rand, and can be guessed.
	"rs/xid": func(testing.TB) generator {
		return each(func() (xid.ID, error) { return xid.New(), nil })
	},
	"oklog/ulid": func(testing.TB) generator {
		return each(func() (ulid.ULID, error) { return ulid.Make(), nil })
	},
	"google/uuid,V7":  func(testing.TB) generator { return each(google.NewV7) },
	"google/uuid,V4":  func(testing.TB) generator { return each(google.NewRandom) },
	"gofrs/uuid,V7":   func(testing.TB) generator { return each(gofrs.NewV7) },
	"segmentio/ksuid": func(testing.TB) generator { return each(ksuid.NewRandom) },
	"crypto/rand.Text": func(testing.TB) generator {
		return each(func() (string, error) { return rand.Text(), nil })
	},
}

func cached(t testing.TB) *uid.CachedGenerator {
	g, err := uid.New(t.Context(), worker.Static(1), uid.Config{
		Layout: layout(45, 5, 13), AllowRepeats: true, Logger: quiet})
	require.NoError(t, err)
	t.Cleanup(func() { g.Close() })
	return g
}

var quiet = slog.New(slog.DiscardHandler)

// layout begins today, so that it is never over: the ids are thrown away.
func layout(timeBits, workerBits, seqBits int) uid.Layout {
	l := uid.DefaultLayout()
	l.Epoch = time.Now().UTC().Truncate(24 * time.Hour)
	l.TimeBits, l.WorkerBits, l.SeqBits = timeBits, workerBits, seqBits
	return l
}

func openBwmarrin(t testing.TB, nodeBits, stepBits uint8) generator {
	defer func(node, step uint8) {
		snowflake.NodeBits, snowflake.StepBits = node, step
	}(snowflake.NodeBits, snowflake.StepBits)
	snowflake.NodeBits, snowflake.StepBits = nodeBits, stepBits
	node, err := snowflake.NewNode(1)
	require.NoError(t, err)
	return each(func() (snowflake.ID, error) { return node.Generate(), nil })
}

func openSonyflake(t testing.TB, s sonyflake.Settings) generator {
	s.MachineID = func() (int, error) { return 1, nil }
	flake, err := sonyflake.New(s)
	require.NoError(t, err)
	return each(flake.NextID)
}

func openYitter(seqBits byte) generator {
	settings := idgen.NewIdGeneratorOptions(1)
	settings.SeqBitLength = seqBits
	g := idgen.NewDefaultIdGenerator(settings)
	return each(func() (int64, error) { return g.NewLong(), nil })
}

// A taker is what one goroutine takes ids with: it fills dst.
type taker[T any] func(dst []T) error

// takers makes a taker for each goroutine.
type takers[T any] func() taker[T]

// generator is a takers whose type of ids does not matter.
type generator interface {
	chunks(more func() bool) error
}

func shared[T any](take taker[T]) takers[T] {
	return func() taker[T] { return take }
}

// each returns a generator from which next takes one id. Calling a function value costs a
// nanosecond or two; generators that are as fast as that have their loops written out.
func each[T any](next func() (T, error)) takers[T] {
	return shared(func(dst []T) (err error) {
		for i := range dst {
			if dst[i], err = next(); err != nil {
				break
			}
		}
		return err
	})
}

// chunk is how many ids a taker is asked for at once: few enough for the first-level cache.
const chunk = 1024

// chunks takes chunk ids each time that more returns true.
func (g takers[T]) chunks(more func() bool) (err error) {
	for take, dst := g(), make([]T, chunk); more() && err == nil; {
		err = take(dst)
	}
	return err
}

// BenchmarkRivals measures what an id costs: one goroutine for each of -cpu. uid's own benchmarks
// have the yardsticks.
func BenchmarkRivals(b *testing.B) {
	for name, open := range rivals {
		b.Run(name, func(b *testing.B) {
			g := open(b)
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) { assert.NoError(b, g.chunks(pb.Next)) })
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/chunk, "ns/id")
			b.ReportMetric(0, "ns/op")
		})
	}
}
