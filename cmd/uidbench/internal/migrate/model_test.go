package migrate

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

var orders = []uid.Order{uid.TimeWorkerSequence, uid.TimeSequenceWorker, uid.WorkerTimeSequence}

// tinyLayout has few enough ids to write them all down.
func tinyLayout(epoch time.Time) *rapid.Generator[uid.Layout] {
	return rapid.Custom(func(t *rapid.T) uid.Layout {
		l := uid.Layout{
			Epoch: epoch.Add(time.Duration(rapid.IntRange(-20, 20).Draw(t,
				"epoch ms")) * time.Millisecond),
			Unit:       time.Duration(rapid.IntRange(1, 5).Draw(t, "unit ms")) * time.Millisecond,
			TimeBits:   rapid.IntRange(1, 5).Draw(t, "time bits"),
			WorkerBits: rapid.IntRange(0, 2).Draw(t, "worker bits"),
			TurnBits:   rapid.IntRange(0, 1).Draw(t, "turn bits"),
			SeqBits:    rapid.IntRange(0, 3).Draw(t, "sequence bits"),
			TailBits:   rapid.IntRange(0, 2).Draw(t, "tail bits"),
			Order:      rapid.SampledFrom(orders).Draw(t, "order"),
		}
		l.Tail = rapid.Int64Range(0, mask(l.TailBits)).Draw(t, "tail")
		return l
	})
}

// written lists every id of some workers whose tick begins or goes on in a time:
// the slow model, which asks the layout about each tick.
func written(t require.TestingT, l uid.Layout, from, until time.Time, first,
	last int64) (all []uid.ID) {
	for tick := range mask(l.TimeBits) + 1 {
		begin := start(l, tick)
		if !begin.Before(until) || !begin.Add(l.Unit).After(from) {
			continue
		}
		for worker := first; worker <= last; worker++ {
			for turn := range mask(l.TurnBits) + 1 {
				for seq := range mask(l.SeqBits) + 1 {
					id, err := l.Compose(uid.Parts{Tick: tick, Worker: worker, Turn: turn, Seq: seq})
					require.NoError(t, err)
					all = append(all, id)
				}
			}
		}
	}
	return all
}

// inBoth returns the ids that are in both lists, sorted.
func inBoth(a, b []uid.ID) (both []uid.ID) {
	in := map[uid.ID]bool{}
	for _, id := range a {
		in[id] = true
	}
	for _, id := range b {
		if in[id] {
			both = append(both, id)
		}
	}
	slices.Sort(both)
	return both
}

var forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func TestCheckFindsWhatWritingAllIDsDownFinds(t *testing.T) {
	epoch := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	seen := map[string]int{}
	property := func(t *rapid.T) {
		from := tinyLayout(epoch).Draw(t, "from")
		to := tinyLayout(epoch).Draw(t, "to")
		if rapid.Bool().Draw(t, "same split") {
			to.TimeBits, to.WorkerBits, to.TurnBits, to.SeqBits = from.TimeBits, from.WorkerBits,
				from.TurnBits, from.SeqBits
			to.TailBits, to.Tail, to.Order = from.TailBits, from.Tail, from.Order
		}
		at := epoch.Add(time.Duration(rapid.IntRange(-30_000, 150_000).Draw(t,
			"at µs")) * time.Microsecond)
		o := Options{
			Ahead:       time.Duration(rapid.IntRange(0, 10_000).Draw(t, "ahead µs")) * time.Microsecond,
			LastWorker:  rapid.Int64Range(0, from.MaxWorker()).Draw(t, "last worker"),
			FirstWorker: rapid.Int64Range(0, to.MaxWorker()).Draw(t, "first worker"),
		}
		m, err := Check(from, to, at, o)
		if !at.Before(to.End()) {
			require.ErrorIs(t, err, uid.ErrTimeOver)
			seen["over"]++
			return
		}
		require.NoError(t, err)

		oldest := o.LastWorker
		if oldest == 0 {
			oldest = from.MaxWorker()
		}
		old := written(t, from, from.Epoch, at.Add(o.Ahead), 0, oldest)
		both := inBoth(old, written(t, to, at, forever, o.FirstWorker, to.MaxWorker()))
		require.Equal(t, len(both) == 0, m.Safe)
		if m.Safe {
			require.Zero(t, m.Until)
			seen["safe"]++
			return
		}
		seen["not safe"]++
		require.Equal(t, both[0], m.First)
		require.Equal(t, both[len(both)-1], m.Last)
		require.Empty(t, inBoth(old, written(t, to, at, m.Since, o.FirstWorker, to.MaxWorker())),
			"before Since")
		require.Empty(t, inBoth(old, written(t, to, m.Until, forever, o.FirstWorker, to.MaxWorker())),
			"from Until on")
	}
	for range 20 { // so many that each answer is among them
		rapid.Check(t, property)
	}
	for _, kind := range []string{"over", "safe", "not safe"} {
		assert.Positive(t, seen[kind], kind)
	}
}

// The widest layouts and times there are: nothing overflows.
func TestCheckOverflowsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := anyLayout().Draw(t, "from"), anyLayout().Draw(t, "to")
		at := anyTime().Draw(t, "at")
		m, err := Check(from, to, at,
			Options{Ahead: time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "ahead"))})
		if err != nil {
			require.ErrorIs(t, err, uid.ErrTimeOver)
			return
		}
		if !m.Safe {
			for _, id := range []uid.ID{m.First, m.Last} {
				for _, l := range []uid.Layout{from, to} {
					_, err := l.Parse(id)
					require.NoError(t, err)
				}
			}
			require.False(t, m.Since.After(m.Until))
		}
	})
}

// anyLayout draws layouts of every shape.
func anyLayout() *rapid.Generator[uid.Layout] {
	return rapid.Custom(func(t *rapid.T) uid.Layout {
		ms := rapid.Int64Range(1, 24*60*60*1000).Draw(t, "unit ms")
		l := uid.Layout{
			Epoch: anyTime().Draw(t, "epoch"), Unit: time.Duration(ms) * time.Millisecond,
			Order: rapid.SampledFrom(orders).Draw(t, "order"),
		}
		left := idBits
		take := func(name string, least, most int) int {
			n := rapid.IntRange(least, min(most, left)).Draw(t, name)
			left -= n
			return n
		}
		l.TimeBits = take("time bits", 1, idBits)
		l.WorkerBits = take("worker bits", 0, idBits)
		l.TurnBits = take("turn bits", 0, 1)
		l.SeqBits = take("sequence bits", 0, idBits)
		l.TailBits = take("tail bits", 0, idBits)
		l.Tail = rapid.Int64Range(0, mask(l.TailBits)).Draw(t, "tail")
		return l
	})
}

// anyTime draws a time of the years 1 to 9999.
func anyTime() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		first, last := time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
			time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
		seconds := rapid.Int64Range(first.Unix(), last.Unix()).Draw(t, "seconds")
		return time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")).UTC()
	})
}
