package properties

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// TestOperatorsNeverBringAnIDTwice plays what operators do to namespaces of one
// layout, in any order: make, delete in whole and in part, edit, make again with
// other settings. Meanwhile holders are granted what they can get, and mint it all.
func TestOperatorsNeverBringAnIDTwice(t *testing.T) {
	for range 20 { // of a hundred plots each
		rapid.Check(t, func(t *rapid.T) {
			p := newPlot(t)
			t.Repeat(map[string]func(*rapid.T){
				"init":             p.init,
				"init again":       p.init,
				"hold":             p.hold,
				"time passes":      p.pass,
				"drop":             func(t *rapid.T) { p.store.Drop(p.name(t)) },
				"remove":           p.remove,
				"drop the record":  func(t *rapid.T) { p.store.DropNamespace(p.name(t)) },
				"drop a row":       func(t *rapid.T) { p.store.DropRow(p.name(t), p.id(t, 0)) },
				"edit the window":  p.edit,
				"forget the space": func(*rapid.T) { p.store.Forget(layoutOfPlot); p.forgot = true },
			})
		})
	}
}

const (
	layoutOfPlot = "plot"
	idsOfPlot    = 3
)

// plot is a store, and all that was minted with it.
type plot struct {
	store  *memstore.Store
	now    time.Time
	forgot bool            // the record was lost, so nobody may say that nothing was ever granted
	minted map[int64]int64 // by worker id, the last tick
}

func newPlot(t *rapid.T) *plot {
	p := &plot{now: time.Unix(1_000_000, 0), minted: map[int64]int64{}}
	p.store = memstore.NewAt(func() time.Time { return p.now })
	return p
}

func (p *plot) name(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name")
}

func (p *plot) id(t *rapid.T, least int64) int64 {
	return rapid.Int64Range(least, idsOfPlot-1).Draw(t, "id")
}

func (p *plot) pass(t *rapid.T) {
	p.now = p.now.Add(rapid.SampledFrom([]time.Duration{time.Second, 5 * time.Second, 5 * time.Second,
		25 * time.Second, 25 * time.Hour}).Draw(t, "time"))
}

func (p *plot) edit(t *rapid.T) {
	window := rapid.SampledFrom([]int64{2, 60}).Draw(t, "window")
	p.store.EditNamespace(p.name(t), func(n *worker.Namespace) { n.Window = window })
}

func (p *plot) init(t *rapid.T) {
	n := worker.Namespace{Name: p.name(t), Fingerprint: layoutOfPlot, Unit: time.Second}
	n.First = p.id(t, 0)
	n.Last = p.id(t, n.First)
	n.Window = rapid.SampledFrom([]int64{2, 20}).Draw(t, "window")
	o := worker.InitOptions{MaxID: idsOfPlot - 1, Slack: time.Second}
	// Fresh is an operator's word. It is believed where the record is, which knows
	// better, and was never a lie where it is not.
	o.Fresh = !p.forgot && rapid.Bool().Draw(t, "fresh")
	err := p.store.Init(t.Context(), n, o)
	switch {
	case err == nil:
		// it is there
	case !errors.Is(err, worker.ErrNamespace) && !errors.Is(err, worker.ErrOverlap):
		t.Fatal(err)
	}
}

// remove does it in good order, unless somebody edited the namespace or deleted it.
func (p *plot) remove(t *rapid.T) {
	err := p.store.Remove(t.Context(), p.name(t), store.RemoveOptions{Held: true, Slack: time.Second})
	if err != nil && !errors.Is(err, worker.ErrNoNamespace) && !errors.Is(err, worker.ErrNamespace) {
		t.Fatal(err)
	}
}

// hold takes each row that can be taken, and mints all that is granted with it.
func (p *plot) hold(t *rapid.T) {
	for _, name := range []string{"a", "b"} {
		v, err := p.store.View(t.Context(), name, 0, idsOfPlot)
		if err != nil {
			continue
		}
		for _, row := range v.Rows {
			p.take(t, v, row)
		}
	}
}

func (p *plot) take(t *rapid.T, v store.View, row store.Row) {
	lo, hi := max(row.High+1, v.Floor, v.TickAt(v.Now)), v.TickAt(v.Now)+v.Window
	if lo > hi {
		return
	}
	applied, err := p.store.Write(t.Context(), store.Write{
		Namespace: v.Name, Fingerprint: v.Fingerprint, Epoch: v.Epoch, Floor: v.Floor,
		Worker: row.Worker, Expect: []store.Nonce{row.Nonce}, Nonce: store.Nonce{row.Nonce[0] + 1},
		High: hi, TTL: time.Nanosecond, Acquire: true, Now: v.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !applied {
		return
	}
	if last, ok := p.minted[row.Worker]; ok && lo <= last {
		t.Fatalf("worker id %d of %q mints ticks from %d, and minted up to %d", row.Worker, v.Name, lo,
			last)
	}
	p.minted[row.Worker] = hi
}
