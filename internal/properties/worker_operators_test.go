package properties

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// TestOperatorsNeverBringAnIDTwice plays what operators do to a pool, in any order: rows are
// created and opened, released, stolen, and deleted one by one or all at once. Creators and
// openers may stand still in between. Meanwhile holders are granted what they can get, and
// mint all of it.
func TestOperatorsNeverBringAnIDTwice(t *testing.T) {
	for range 20 { // of a hundred plots each
		rapid.Check(t, func(t *rapid.T) {
			p := newPlot(t)
			t.Repeat(map[string]func(*rapid.T){
				"create":       p.create,
				"create later": p.create,
				"ask the time": p.ask,
				"open":         p.open,
				"open again":   p.open,
				"hold":         p.hold,
				"hold another": p.hold,
				"release":      p.release,
				"steal":        p.steal,
				"time passes":  p.pass,
				"delete a row": func(t *rapid.T) {
					p.store.Edit(p.pool.Layout, p.id(t), func(*store.Row) bool { return false })
				},
				"delete all": func(t *rapid.T) {
					require.NoError(t, p.store.Delete(t.Context(), p.pool.Layout))
				},
			})
		})
	}
}

const idsOfPlot = 3

// plot is a store, and all that was minted with it.
type plot struct {
	store   *memstore.Store
	pool    store.Pool
	now     time.Time
	writes  byte
	openers []store.Opening       // who have asked for the time, and may have stood still since
	holders map[store.Nonce]int64 // by the nonce of their last write, the row's worker id
	minted  map[int64]int64       // by worker id, the last tick
}

func newPlot(*rapid.T) *plot {
	p := &plot{now: time.Unix(1_000_000, 0), pool: store.Pool{Layout: "plot", Unit: 10 * time.Second},
		holders: map[store.Nonce]int64{}, minted: map[int64]int64{}}
	p.store = memstore.NewAt(func() time.Time { return p.now })
	return p
}

func (p *plot) id(t *rapid.T) int64 { return rapid.Int64Range(0, idsOfPlot-1).Draw(t, "id") }

func (p *plot) nonce() store.Nonce {
	p.writes++
	return store.Nonce{p.writes, 1}
}

func (p *plot) view(t *rapid.T) store.View {
	v, err := p.store.View(t.Context(), p.pool, 0, idsOfPlot)
	require.NoError(t, err)
	return v
}

func (p *plot) pass(t *rapid.T) {
	p.now = p.now.Add(rapid.SampledFrom([]time.Duration{time.Second, 10 * time.Second,
		10 * time.Second, 65 * time.Second, time.Hour}).Draw(t, "time"))
}

func (p *plot) create(t *rapid.T) {
	require.NoError(t, p.store.Create(t.Context(), store.Creation{Pool: p.pool,
		Workers: []int64{p.id(t), p.id(t)}, Nonce: p.nonce()}))
}

// ask reads a row that is not open, and then asks for the time.
func (p *plot) ask(t *rapid.T) {
	for _, row := range p.view(t).Rows {
		if row.Open {
			continue
		}
		now, err := p.store.Now(t.Context())
		require.NoError(t, err)
		p.openers = append(p.openers, store.Opening{Pool: p.pool, Workers: []int64{row.Worker},
			Created: row.Nonce, Nonce: p.nonce(), High: p.pool.Opening(now, 0)})
	}
}

// open sends the opening of somebody who has asked for the time, now or long ago.
func (p *plot) open(t *rapid.T) {
	if len(p.openers) == 0 {
		return
	}
	i := rapid.IntRange(0, len(p.openers)-1).Draw(t, "opener")
	require.NoError(t, p.store.Open(t.Context(), p.openers[i]))
	p.openers = slices.Delete(p.openers, i, i+1)
}

// hold takes each row that can be taken, and mints all that is granted with it.
func (p *plot) hold(t *rapid.T) {
	v := p.view(t)
	for _, row := range v.Rows {
		lo, hi := v.Next(row), v.MaxHigh()
		w := store.Write{Pool: p.pool, Worker: row.Worker, Expect: []store.Nonce{row.Nonce},
			Nonce: p.nonce(), High: hi, TTL: time.Minute, Acquire: true, Now: v.Now}
		if lo > hi || !p.write(t, w) {
			continue
		}
		if last, ok := p.minted[row.Worker]; ok && lo <= last {
			t.Fatalf("worker id %d mints ticks from %d, and minted up to %d", row.Worker, lo, last)
		}
		p.minted[row.Worker] = hi
		p.holders[w.Nonce] = row.Worker
	}
}

func (p *plot) write(t *rapid.T, w store.Write) (applied bool) {
	applied, err := p.store.Write(t.Context(), w)
	require.NoError(t, err)
	return applied
}

// release gives a row back, above all that its holder minted. The row may be another's by
// now, or gone.
func (p *plot) release(t *rapid.T) {
	for _, nonce := range slices.SortedFunc(maps.Keys(p.holders), byText) {
		if worker := p.holders[nonce]; rapid.Bool().Draw(t, "release") {
			delete(p.holders, nonce)
			p.write(t, store.Write{Pool: p.pool, Worker: worker, Expect: []store.Nonce{nonce},
				Nonce: p.nonce(), High: p.minted[worker], Release: true, Now: p.now})
		}
	}
}

// steal frees a row under its holder, who was granted what the row says.
func (p *plot) steal(t *rapid.T) {
	v := p.view(t)
	for _, row := range v.Rows {
		if row.Open && rapid.Bool().Draw(t, "steal") {
			p.write(t, store.Write{Pool: p.pool, Worker: row.Worker, Expect: []store.Nonce{row.Nonce},
				Nonce: p.nonce(), High: row.High, Release: true, Now: v.Now})
		}
	}
}

func byText(a, b store.Nonce) int { return slices.Compare(a[:], b[:]) }
