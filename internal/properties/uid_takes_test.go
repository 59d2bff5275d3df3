package properties

import (
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// call takes n ids by a path after some time.
type call struct {
	after time.Duration
	path  string
	n     int
}

func anyCalls() *rapid.Generator[[]call] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) call {
		return call{
			after: time.Duration(rapid.SampledFrom([]int{0, 0, 1, 9, 100, 900, 5000}).Draw(t,
				"after ms")) * time.Millisecond,
			path: rapid.SampledFrom([]string{"one", "one", "batch", "stream"}).Draw(t, "path"),
			n:    rapid.SampledFrom([]int{1, 2, 7, 50, 700}).Draw(t, "n"),
		}
	}), 1, 20)
}

// taken is what a call got, and when it began and returned.
type taken struct {
	call
	begin, end time.Time
	parts      []uid.Parts
}

// takeCalls makes the calls under a clock of their own.
func takeCalls(t *testing.T, c uid.Config, calls []call) (all []taken, s uid.Stats, err error) {
	synctest.Test(t, func(t *testing.T) {
		var g *uid.CachedGenerator
		if g, err = uid.New(t.Context(), worker.Static(3), c); err != nil {
			return
		}
		defer g.Close()
		stream := g.Stream()
		for _, call := range calls {
			time.Sleep(call.after)
			synctest.Wait()
			before := g.Stats().Taken
			one := taken{call: call, begin: time.Now()}
			var ids []uid.ID
			switch call.path {
			case "batch":
				ids, err = g.AppendUIDs(nil, call.n)
			default:
				ids, err = takeEach(map[string]takesOne{"one": g, "stream": stream}[call.path], call.n)
			}
			if err != nil {
				return
			}
			one.end = time.Now()
			for _, id := range ids {
				p, _ := g.ParseUID(id)
				one.parts = append(one.parts, p)
			}
			all = append(all, one)
			if s = g.Stats(); s.Taken < before {
				err = fmt.Errorf("Taken fell from %d to %d", before, s.Taken)
				return
			}
		}
	})
	return all, s, err
}

type takesOne interface{ GetUID() (uid.ID, error) }

func takeEach(g takesOne, n int) (ids []uid.ID, err error) {
	for range n {
		id, err := g.GetUID()
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// In each order of the fields, every id comes once and in order, of no time that is too old or of
// the future, and the counters say where each is. The one taker waits for the padder before each
// call.
func TestEveryWayToTakeKeepsWhatIsPromised(t *testing.T) {
	race.Skip(t)
	rapid.Check(t, func(rt *rapid.T) {
		c := uid.Config{
			Layout: uid.Layout{
				Epoch: time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC),
				Unit: time.Duration(rapid.SampledFrom([]int{1, 10, 100, 1000}).Draw(rt,
					"unit ms")) * time.Millisecond,
				TimeBits: 41, WorkerBits: 8,
				SeqBits: rapid.IntRange(0, 6).Draw(rt, "sequence bits"),
			},
			RingSize: rapid.SampledFrom([]int64{0, 16, 256, 4096, 65536}).Draw(rt, "ring size"),
			MaxLag: time.Duration(rapid.SampledFrom([]int{-1, 0, 200}).Draw(rt,
				"max lag ms")) * time.Millisecond,
			Logger: slog.New(slog.DiscardHandler),
		}
		switch rapid.IntRange(0, 2).Draw(rt, "future") {
		case 1:
			c.AllowRepeats = true
		case 2:
			c.AllowRepeats, c.MaxAhead = true,
				time.Duration(rapid.IntRange(1, 3000).Draw(rt, "max ahead ms"))*time.Millisecond
		}
		calls := anyCalls().Draw(rt, "calls")
		for _, o := range []uid.Order{uid.TimeWorkerSequence, uid.TimeSequenceWorker,
			uid.WorkerTimeSequence} {
			c.Layout.Order = o
			all, s, err := takeCalls(t, c, calls)
			require.NoError(rt, err, o)
			checkTaken(rt, c, all, s)
		}
	})
}

func checkTaken(t *rapid.T, c uid.Config, all []taken, s uid.Stats) {
	perTick, lag := mask(c.Layout.SeqBits)+1, c.MaxLag
	if lag == 0 {
		lag = min(time.Second, 10*c.Layout.Unit)
	}
	number := func(p uid.Parts) int64 { return p.Tick*perTick + p.Seq }
	seen, count, streamed, slept := map[int64]bool{}, int64(0), false, false
	var highest, first int64 = -1, -1
	for _, one := range all {
		streamed, slept = streamed || one.path == "stream", slept || one.after > 0 || one.end != one.begin
		for i, p := range one.parts {
			n := number(p)
			require.False(t, seen[n], "%v twice", p)
			seen[n] = true
			if first < 0 {
				first = n
			}
			if !slept && !streamed {
				require.Equal(t, first+count, n, "nothing is left out where no time passes")
			}
			count++
			if i > 0 {
				require.Greater(t, n, number(one.parts[i-1]), "out of order: %v", p)
			}
			if lag > 0 {
				require.LessOrEqual(t, one.begin.Sub(p.Time), c.Layout.Unit+lag, "too old: %v", p)
			}
			if !c.AllowRepeats || c.MaxAhead > 0 {
				require.LessOrEqual(t, p.Time.Sub(one.end), c.MaxAhead, "of the future: %v", p)
			}
		}
		if one.path != "stream" {
			require.Greater(t, number(one.parts[0]), highest, "out of order: %v", one.parts[0])
			highest = number(one.parts[len(one.parts)-1])
		}
	}
	if !streamed {
		require.Equal(t, count, s.Taken)
	}
	require.GreaterOrEqual(t, s.Taken, count)
}
