package properties

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// registered counts starts, as a table does.
type registered int64

func (registered) Kept(context.Context) error { return nil }

func (r registered) Register(context.Context, store.Node, int64) (int64, error) {
	return int64(r), nil
}

// anyAssigner draws a worker id of every class, which the layout has.
func anyAssigner(t *rapid.T, l uid.Layout, id int64) func() worker.Assigner {
	switch rapid.SampledFrom([]string{"leased", "disposable", "static"}).Draw(t, "assigner") {
	case "disposable":
		return func() worker.Assigner { return worker.Disposable(registered(id)) }
	case "static":
		return func() worker.Assigner { return worker.Static(id) }
	}
	return func() worker.Assigner {
		s, p := memstore.New(), store.Pool{Layout: l.Need().Fingerprint, Unit: l.Unit}
		ctx, workers, created := context.Background(), []int64{id}, store.Nonce{1}
		_ = s.Create(ctx, p, workers, created)
		_ = s.Open(ctx, p, workers, created, store.Row{Nonce: store.Nonce{2}, Open: true,
			High: p.TickAt(time.Now()) - 1, Slack: time.Minute})
		return worker.Leased(s, worker.Claim{ExistingOnly: true, Logger: slog.New(slog.DiscardHandler)})
	}
}

// anyAbove draws ids of long ago, of about now, of times to come, and any.
func anyAbove(t *rapid.T, l uid.Layout, now time.Time) uid.ID {
	if rapid.Bool().Draw(t, "any above") {
		return anyID().Draw(t, "above")
	}
	by := rapid.Int64Range(-100, 100).Draw(t, "ticks off")
	id, err := l.Compose(uid.Parts{
		Tick:   tickOf(l, now) + by,
		Worker: rapid.Int64Range(0, l.MaxWorker()).Draw(t, "above's worker"),
		Seq:    rapid.Int64Range(0, mask(l.SeqBits)).Draw(t, "above's seq"),
	})
	if err != nil {
		return 1
	}
	return id
}

// tickOf is the tick of a time in the years that an int64 has nanoseconds of.
func tickOf(l uid.Layout, at time.Time) int64 {
	return at.UnixMilli()/l.Unit.Milliseconds() - l.Epoch.UnixMilli()/l.Unit.Milliseconds()
}

// All ids are above it, the first comes within five seconds, and a generator that cannot
// do that is not made.
func TestIDsAreAboveOneThatExists(t *testing.T) {
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // in a bubble
	made, refused := 0, 0
	above := func(r *rapid.T) {
		l := uid.Layout{
			Epoch: now.Add(-time.Duration(rapid.Int64Range(0, int64(10000*time.Hour)).Draw(r, "age"))),
			Unit: time.Duration(rapid.SampledFrom([]int64{1, 10, 1000, 3000, 60_000}).Draw(r,
				"unit ms")) * time.Millisecond,
			WorkerBits: rapid.IntRange(1, 12).Draw(r, "worker bits"),
			TurnBits:   rapid.IntRange(0, 1).Draw(r, "turn bits"),
			SeqBits:    rapid.IntRange(1, 10).Draw(r, "sequence bits"),
			TailBits:   rapid.IntRange(0, 2).Draw(r, "tail bits"),
			Order:      anyOrder().Draw(r, "order"),
		}
		l.TimeBits = rapid.IntRange(1, 63-l.WorkerBits-l.TurnBits-l.SeqBits-l.TailBits).Draw(r,
			"time bits")
		c := settings{
			CachedConfig: uid.CachedConfig{
				Layout: l, Logger: slog.New(slog.DiscardHandler), Above: anyAbove(r, l, now),
				AllowRepeats: rapid.Bool().Draw(r, "repeats"),
			},
			cached: rapid.Bool().Draw(r, "cached"),
			turn:   rapid.Int64Range(0, mask(l.TurnBits)).Draw(r, "turn"),
		}
		if c.cached {
			c.MaxAhead = time.Duration(rapid.SampledFrom([]int64{0, 1, int64(time.Minute)}).Draw(r,
				"max ahead"))
			c.BoostPower = rapid.IntRange(0, 4).Draw(r, "boost")
		} else {
			c.full = policy.BorrowAhead(rapid.Int64Range(0, 3).Draw(r, "drift"))
		}
		id := rapid.Int64Range(1, l.MaxWorker()).Draw(r, "worker")
		open := anyAssigner(r, l, id)
		if !now.Before(l.End()) {
			return
		}
		var ids []uid.ID
		var err error
		synctest.Test(t, func(*testing.T) { ids, err = begins(open(), c) })
		switch {
		case len(ids) > 0:
			made++
			for _, id := range ids {
				require.Greater(r, id, c.Above)
			}
		case errors.Is(err, uid.ErrTimeOver): // Above is in the last tick but one
		default:
			require.ErrorIs(r, err, uid.ErrConfig)
			without := c
			without.Above = 0
			synctest.Test(t, func(*testing.T) { ids, err = begins(open(), without) })
			if len(ids) > 0 {
				refused++
				if byTime(l) {
					id = 0
				}
				today, err := l.Compose(uid.Parts{Tick: tickOf(l, now), Worker: id})
				require.NoError(r, err)
				require.GreaterOrEqual(r, c.Above, today, "only what lies ahead of the clock is refused")
			}
		}
	}
	for round := 0; round < 50 && (made == 0 || refused == 0); round++ {
		rapid.Check(t, above) // one in five is refused, and a short run has twenty
	}
	require.Positive(t, made)
	require.Positive(t, refused)
}

// settings are those of either generator.
type settings struct {
	uid.CachedConfig
	cached bool
	turn   int64
	full   policy.TickFull
}

// begins makes a generator and returns its first ids.
func begins(a worker.Assigner, c settings) (ids []uid.ID, err error) {
	var g interface {
		AppendUIDs([]uid.ID, int) ([]uid.ID, error)
		GetUID() (uid.ID, error)
		Close() error
	}
	if c.cached {
		g, err = uid.NewCached(context.Background(), a, c.CachedConfig)
	} else {
		g, err = uid.NewDefault(context.Background(), a, uid.DefaultConfig{Layout: c.Layout,
			Above: c.Above, AllowRepeats: c.AllowRepeats, Logger: c.Logger, Turn: c.turn,
			TickFull: c.full})
	}
	if err != nil {
		return nil, err
	}
	defer g.Close()
	for range 40 {
		id, err := g.GetUID()
		if err != nil {
			return ids, err
		}
		ids = append(ids, id)
	}
	if d, ok := g.(*uid.DefaultGenerator); ok {
		if id, err := d.GetUIDFor(context.Background(), "orders"); err == nil {
			ids = append(ids, id)
		}
	}
	return g.AppendUIDs(ids, 100)
}
