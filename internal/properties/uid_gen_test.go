package properties

import (
	"math"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

const idBits = 63 // an int64 has without its sign

// mask is the greatest number of so many bits.
func mask(bits int) int64 { return math.MaxInt64 >> (idBits - bits) }

func anyID() *rapid.Generator[uid.ID] {
	return rapid.Custom(func(t *rapid.T) uid.ID {
		return uid.ID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "id"))
	})
}

// anyLayout draws valid layouts of every shape: the bits are cut at random, so
// that whole fields are often missing, and some ids are shorter than 63 bits.
func anyLayout() *rapid.Generator[uid.Layout] {
	return rapid.Custom(func(t *rapid.T) uid.Layout {
		l := uid.Layout{
			Epoch: anyTime().Draw(t, "epoch"),
			Unit:  time.Duration(rapid.Int64Range(1, 24*60*60*1000).Draw(t, "unit ms")) * time.Millisecond,
		}
		left := idBits
		take := func(name string, atLeast, atMost int) int {
			n := rapid.IntRange(atLeast, min(atMost, left)).Draw(t, name)
			left -= n
			return n
		}
		l.TimeBits = take("time bits", 1, idBits)
		l.WorkerBits = take("worker bits", 0, idBits)
		l.TurnBits = take("turn bits", 0, 1)
		l.SeqBits = take("sequence bits", 0, idBits)
		l.TailBits = take("tail bits", 0, idBits)
		l.Tail = rapid.Int64Range(0, mask(l.TailBits)).Draw(t, "tail")
		l.Order = anyOrder().Draw(t, "order")
		return l
	})
}

func anyOrder() *rapid.Generator[uid.Order] {
	return rapid.SampledFrom([]uid.Order{uid.TimeWorkerSequence, uid.TimeSequenceWorker,
		uid.WorkerTimeSequence})
}

// byTime: the ids of a tick are in one range.
func byTime(l uid.Layout) bool { return l.Order != uid.WorkerTimeSequence || l.WorkerBits == 0 }

// start is when a tick of a layout begins.
func start(t require.TestingT, l uid.Layout, tick int64) time.Time {
	id, err := l.Compose(uid.Parts{Tick: tick})
	require.NoError(t, err)
	parts, err := l.Parse(id)
	require.NoError(t, err)
	return parts.Time
}

// What layouts may have as an epoch.
var (
	firstTime = time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)
	lastTime  = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
)

// anyTime draws a time from the years 1 to 9999, in nanoseconds.
func anyTime() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		sec := rapid.Int64Range(firstTime.Unix(), lastTime.Unix()).Draw(t, "seconds")
		nsec := rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")
		return time.Unix(sec, nsec).UTC()
	})
}

// anyParts draws parts that fit the layout, the time left out.
func anyParts(l uid.Layout) *rapid.Generator[uid.Parts] {
	return rapid.Custom(func(t *rapid.T) uid.Parts {
		return uid.Parts{
			Tick:   rapid.Int64Range(0, mask(l.TimeBits)).Draw(t, "tick"),
			Worker: rapid.Int64Range(0, l.MaxWorker()).Draw(t, "worker"),
			Turn:   rapid.Int64Range(0, mask(l.TurnBits)).Draw(t, "turn"),
			Seq:    rapid.Int64Range(0, mask(l.SeqBits)).Draw(t, "seq"),
		}
	})
}
