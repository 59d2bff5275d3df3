package main

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
		c := change{from: from, to: to, at: at,
			ahead:       time.Duration(rapid.IntRange(0, 10_000).Draw(t, "ahead µs")) * time.Microsecond,
			lastWorker:  rapid.Int64Range(0, from.MaxWorker()).Draw(t, "last worker"),
			firstWorker: rapid.Int64Range(0, to.MaxWorker()).Draw(t, "first worker"),
		}
		if !at.Before(to.End()) {
			t.Skip("over")
		}
		found, mayGoOn := c.check()

		oldest := c.lastWorker
		if oldest == 0 {
			oldest = from.MaxWorker()
		}
		old := written(t, from, from.Epoch, at.Add(c.ahead), 0, oldest)
		all := written(t, to, at, forever, c.firstWorker, to.MaxWorker())
		both := inBoth(old, all)
		require.Equal(t, len(both) == 0, found == nil)
		if found == nil {
			never := len(inBoth(written(t, from, from.Epoch, forever, 0, oldest), all)) == 0
			require.Equal(t, never, mayGoOn)
			seen[map[bool]string{true: "for good", false: "until then"}[never]]++
			return
		}
		seen["not safe"]++
		require.Equal(t, both[0], found.first)
		require.Empty(t, inBoth(old, written(t, to, at, found.since, c.firstWorker, to.MaxWorker())),
			"before Since")
		require.Empty(t, inBoth(old, written(t, to, found.until, forever, c.firstWorker, to.MaxWorker())),
			"from Until on")
	}
	for range 20 { // so many that each answer is among them
		rapid.Check(t, property)
	}
	for _, kind := range []string{"not safe", "for good", "until then"} {
		assert.Positive(t, seen[kind], kind)
	}
}

func TestWhatWorksFitsTheLayout(t *testing.T) {
	at := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	layout := func(text string, epoch time.Time) uid.Layout {
		l, err := uid.ParseLayout(text)
		require.NoError(t, err)
		l.Epoch = epoch
		return l
	}
	old := layout("28/22/13", at.AddDate(-1, 0, 0))
	for text, want := range map[string][]string{
		"26/22/15": {"--to-epoch 2026-08-27T00:00:00Z"}, // it lasts for two years
		"25/22/16": nil,                                 // and this not for one after such an epoch
		"28/0/35":  {"--to-epoch 2025-11-27T00:00:00Z"}, // no worker id is above those of the old one
		"28/22/13": {"--to-epoch 2025-11-27T00:00:00Z", "--old-workers 5 --new-workers 6"},
	} {
		c := change{from: old, to: layout(text, at), at: at, lastWorker: 5}
		found, _ := c.check()
		require.NotNil(t, found, text)
		assert.Equal(t, want, c.works(), text)
	}
}

// The widest layouts and times there are: nothing overflows.
func TestCheckOverflowsNothing(t *testing.T) {
	var layouts []uid.Layout
	times := []time.Time{time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
		time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 1, time.UTC)}
	for _, text := range []string{"63/0/0@24h", "1/62/0@1ms", "1/0/62@24h", "wts:1/62/0@24h",
		"tsw:46/1/16@1ms", "41/10/1/10/1=1@1ms", "62/0/1/0/0@1ms"} {
		l, err := uid.ParseLayout(text)
		require.NoError(t, err)
		for _, epoch := range times {
			l.Epoch = epoch
			layouts = append(layouts, l)
		}
	}
	safe := map[bool]int{}
	for _, from := range layouts {
		for _, to := range layouts {
			for _, at := range times {
				for _, ahead := range []time.Duration{0, time.Hour, math.MaxInt64} {
					if !at.Before(to.End()) {
						continue
					}
					found, _ := change{from: from, to: to, at: at, ahead: ahead}.check()
					safe[found == nil]++
					if found == nil {
						continue
					}
					for _, l := range []uid.Layout{from, to} {
						_, err := l.Parse(found.first)
						require.NoError(t, err)
					}
					require.False(t, found.since.After(found.until))
				}
			}
		}
	}
	assert.Positive(t, safe[true])
	assert.Positive(t, safe[false])
}
