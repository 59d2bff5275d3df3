package storetest_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Table is a store of one's own, on a map in place of a server. The mutex is what a server has to
// offer: a condition and a change at one instant.
type Table struct {
	mu   sync.Mutex
	rows map[Key]store.Row
}

// Key is the primary key of a row.
type Key struct {
	store.Pool
	Worker int64
}

// Check says that the table keeps what it acknowledged: its leases are Fenced.
func (t *Table) Check(ctx context.Context) (lossy bool, err error) { return false, ctx.Err() }

// Now is the clock of the place where the rows are.
func (t *Table) Now(ctx context.Context) (time.Time, error) { return time.Now(), ctx.Err() }

func (t *Table) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := store.View{Pool: p, Now: time.Now(), Others: map[store.Pool]store.Row{}}
	for k, row := range t.rows {
		switch {
		case k.Layout != p.Layout:
			other, there := v.Others[k.Pool]
			if !there || row.Open && (!other.Open || row.High > other.High) {
				v.Others[k.Pool] = row
			}
			continue
		case k.Unit != p.Unit:
			return store.View{}, fmt.Errorf("%w: the ticks of layout %s are %v there", store.ErrStore,
				p.Layout, k.Unit)
		case first <= k.Worker && k.Worker <= last:
			v.Rows = append(v.Rows, row)
		}
		v.Slack = max(v.Slack, row.Slack)
	}
	slices.SortFunc(v.Rows, func(a, b store.Row) int { return cmp.Compare(a.Worker, b.Worker) })
	return v, ctx.Err()
}

func (t *Table) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, worker := range workers {
		if _, there := t.rows[Key{p, worker}]; !there {
			t.rows[Key{p, worker}] = store.Row{Worker: worker, Nonce: nonce}
		}
	}
	return ctx.Err()
}

func (t *Table) Open(ctx context.Context, p store.Pool, workers []int64, created store.Nonce,
	opened store.Row) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, worker := range workers {
		if row, there := t.rows[Key{p, worker}]; there && !row.Open && row.Nonce == created {
			opened.Worker = worker
			t.rows[Key{p, worker}] = opened
		}
	}
	return ctx.Err()
}

// Write has its condition and its change from Apply, which says for all stores what they are.
func (t *Table) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.Epoch != "" || w.Floor != 0 {
		return false, ctx.Err() // of a head, and the table has none
	}
	row, applied := w.Apply(t.rows[Key{w.Pool, w.Worker}], time.Now())
	if applied {
		t.rows[Key{w.Pool, w.Worker}] = row
	}
	return applied, ctx.Err()
}

func (t *Table) Delete(ctx context.Context, layout string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.rows, func(k Key, _ store.Row) bool {
		return layout == "" || k.Layout == layout
	})
	return ctx.Err()
}

// A store of one's own: what Leased needs of it are seven methods. storetest.Run checks them.
func Example() {
	ctx := context.Background()
	own := &Table{rows: map[Key]store.Row{}}
	a := worker.Leased(own, worker.Claim{First: 1, Count: 1, Slack: time.Millisecond,
		Logger: slog.New(slog.DiscardHandler)})
	need := worker.Need{Unit: time.Millisecond, MaxID: 1023, Fingerprint: "a layout"}
	lease, err := a.Assign(ctx, need)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lease.WorkerID(), lease.Class())
	fmt.Println(lease.Release(ctx, math.MinInt64))
	// Output:
	// 1 Fenced
	// <nil>
}
