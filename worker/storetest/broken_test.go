package storetest_test

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

type mem = *memstore.Store

var background = context.Background()

// A suite is worth what it finds. Each store here breaks one sentence of the
// contract, and the suite, run in a process of its own, must fail in the test
// named.
var broken = map[string]struct {
	in     string // a part of the name of the test that must fail
	write  func(s mem, w store.Write) (bool, error)
	view   func(s mem, v store.View) (store.View, error)
	now    func(s mem, now time.Time) time.Time
	raise  func(s mem, p store.Pool, known head) (bool, error)
	create func(s mem, p store.Pool, workers []int64, nonce store.Nonce) error
	open   func(s mem, o opening) error
	remove func(s mem, layout string) error
}{
	"believes any nonce": {in: "conditions", write: func(s mem, w store.Write) (bool, error) {
		w.Expect = []store.Nonce{rowOf(s, w.Pool, w.Worker).Nonce}
		return s.Write(background, w)
	}},
	"compares the first half of a nonce": {in: "conditions",
		write: func(s mem, w store.Write) (bool, error) {
			row := rowOf(s, w.Pool, w.Worker)
			for i, n := range w.Expect {
				if [8]byte(n[:8]) == [8]byte(row.Nonce[:8]) {
					w.Expect = append(w.Expect[:i:i], row.Nonce)
				}
			}
			return s.Write(background, w)
		}},
	"forgets the second nonce": {in: "second_expected",
		write: func(s mem, w store.Write) (bool, error) {
			w.Expect = w.Expect[:1]
			return s.Write(background, w)
		}},
	"takes held rows": {in: "a_held_row", write: func(s mem, w store.Write) (bool, error) {
		w.Acquire = false
		return s.Write(background, w)
	}},
	"keeps expired rows": {in: "an_expired_row", write: func(s mem, w store.Write) (bool, error) {
		if w.Acquire && rowOf(s, w.Pool, w.Worker).Held {
			return false, nil
		}
		return s.Write(background, w)
	}},
	"trims layouts": {in: "conditions", write: func(s mem, w store.Write) (bool, error) {
		w.Layout = strings.TrimSpace(w.Layout)
		return s.Write(background, w)
	}},
	"knows no case": {in: "conditions", write: func(s mem, w store.Write) (bool, error) {
		w.Layout = strings.ToLower(w.Layout)
		return s.Write(background, w)
	}},
	"asks for no floor": {in: "conditions", write: func(s mem, w store.Write) (bool, error) {
		w.Floor = viewOf(s, w.Pool).Floor
		return s.Write(background, w)
	}},
	"asks for no epoch": {in: "conditions", write: func(s mem, w store.Write) (bool, error) {
		w.Epoch = viewOf(s, w.Pool).Epoch
		return s.Write(background, w)
	}},
	"believes the writer's clock": {in: "clock_is_not_asked",
		write: func(s mem, w store.Write) (bool, error) {
			row := rowOf(s, w.Pool, w.Worker)
			after, applied := w.Apply(row, w.Now)
			if applied {
				s.Edit(w.Layout, w.Worker, func(r *store.Row) bool { *r = after; return true })
			}
			return applied, nil
		}},
	"has no window": {in: "window_is_exact", write: func(s mem, w store.Write) (bool, error) {
		if !w.Release {
			w.High = min(w.High, grants.Last(viewOf(s, w.Pool)))
		}
		return s.Write(background, w)
	}},
	"never lowers High": {in: "write_leaves", write: func(s mem, w store.Write) (bool, error) {
		w.High = max(w.High, rowOf(s, w.Pool, w.Worker).High)
		return s.Write(background, w)
	}},
	"cuts owners": {in: "are_exact", write: func(s mem, w store.Write) (bool, error) {
		w.Owner = w.Owner[:min(255, len(w.Owner))]
		return s.Write(background, w)
	}},
	"writes nothing": {in: "write_leaves", write: func(mem, store.Write) (bool, error) {
		return true, nil
	}},
	"repeats a write": {in: "linearizable", write: func(s mem, w store.Write) (bool, error) {
		s.Write(background, w)
		return s.Write(background, w)
	}},
	"loses one write in ten": {in: "linearizable", write: func(s mem, w store.Write) (bool, error) {
		if w.Owner == storetest.Owner && w.Nonce[0] < 26 {
			return true, nil
		}
		return s.Write(background, w)
	}},
	"fails where it should miss": {in: "conditions", write: func(s mem, w store.Write) (bool, error) {
		applied, err := s.Write(background, w)
		if !applied && err == nil {
			err = errors.New("missed")
		}
		return applied, err
	}},
	"writes rows that were only created": {in: "created_unopened",
		write: func(s mem, w store.Write) (bool, error) {
			s.Edit(w.Layout, w.Worker, func(r *store.Row) bool { r.Open = true; return true })
			return s.Write(background, w)
		}},
	"creates what it writes": {in: "a_deleted_row", write: func(s mem, w store.Write) (bool, error) {
		if rowOf(s, w.Pool, w.Worker) == (store.Row{}) {
			put(s, w.Pool, store.Row{Worker: w.Worker, Nonce: w.Expect[0], Open: true})
		}
		return s.Write(background, w)
	}},
	"shows rows backwards": {in: "View", view: func(_ mem, v store.View) (store.View, error) {
		slices.Reverse(v.Rows)
		return v, nil
	}},
	"rounds far ticks": {in: "are_exact", view: func(_ mem, v store.View) (store.View, error) {
		for i := range v.Rows {
			v.Rows[i].High = int64(float32(v.Rows[i].High))
		}
		return v, nil
	}},
	"keeps seconds": {in: "write_leaves", view: func(_ mem, v store.View) (store.View, error) {
		for i := range v.Rows {
			v.Rows[i].Renewed = v.Rows[i].Renewed.Truncate(time.Second)
		}
		return v, nil
	}},
	"fails where nothing is": {in: "a_deleted_row",
		view: func(_ mem, v store.View) (store.View, error) {
			if len(v.Rows)+len(v.Others) == 0 {
				return v, errors.New("no such table")
			}
			return v, nil
		}},
	"shows no other layout": {in: "Others",
		view: func(_ mem, v store.View) (store.View, error) {
			v.Others = nil
			return v, nil
		}},
	"shows any row of another layout": {in: "Others",
		view: func(s mem, v store.View) (store.View, error) {
			for p := range v.Others {
				rows := viewOf(s, p).Rows
				v.Others[p] = rows[len(rows)-1]
			}
			return v, nil
		}},
	"shows rows of other ticks": {in: "another_unit",
		view: func(_ mem, v store.View) (store.View, error) { return v, nil }},
	"remembers the time": {in: "time_is_asked", now: func(s mem, now time.Time) time.Time {
		return viewOf(s, store.Pool{}).Now.Truncate(time.Minute)
	}},
	"tells an early time": {in: "time_is_asked", now: func(_ mem, now time.Time) time.Time {
		return now.Add(-time.Second)
	}},
	"creates rows that are open": {in: "created_unopened",
		create: func(s mem, p store.Pool, workers []int64, nonce store.Nonce) error {
			err := s.Create(background, p, workers, nonce)
			return errors.Join(err, s.Open(background, p, workers, nonce, nonce, 0))
		}},
	"creates rows that exist": {in: "leaves_existing",
		create: func(s mem, p store.Pool, workers []int64, nonce store.Nonce) error {
			for _, id := range workers {
				s.Edit(p.Layout, id, func(*store.Row) bool { return false })
			}
			return s.Create(background, p, workers, nonce)
		}},
	"creates all or nothing": {in: "leaves_existing",
		create: func(s mem, p store.Pool, workers []int64, nonce store.Nonce) error {
			for _, id := range workers {
				if rowOf(s, p, id) != (store.Row{}) {
					return nil
				}
			}
			return s.Create(background, p, workers, nonce)
		}},
	"opens what it did not see": {in: "late_Open", open: func(s mem, o opening) error {
		for _, id := range o.workers {
			o.created = rowOf(s, o.Pool, id).Nonce
			o.send(s)
		}
		return nil
	}},
	"opens twice": {in: "many_Create_and_Open", open: func(s mem, o opening) error {
		for _, id := range o.workers {
			s.Edit(o.Layout, id, func(r *store.Row) bool {
				r.Nonce, r.Open = o.created, false
				return true
			})
		}
		return o.send(s)
	}},
	"opens by creating": {in: "late_Open", open: func(s mem, o opening) error {
		return errors.Join(s.Create(background, o.Pool, o.workers, o.created), o.send(s))
	}},
	"opens only the first row": {in: "many_rows", open: func(s mem, o opening) error {
		o.workers = o.workers[:min(1, len(o.workers))]
		return o.send(s)
	}},
	"opens a window too low": {in: "under_their_holders", open: opensLow},
	"deletes one layout for all": {in: "Delete", remove: func(s mem, layout string) error {
		if layout == "" {
			for p := range viewOf(s, store.Pool{}).Others {
				layout = p.Layout
			}
			if layout == "" {
				return nil
			}
		}
		return s.Delete(background, layout)
	}},
	"deletes all for one layout": {in: "Delete", remove: func(s mem, _ string) error {
		return s.Delete(background, "")
	}},
	"deletes heads": {in: "Delete", remove: func(s mem, layout string) error {
		s.DeleteHead(layout)
		return s.Delete(background, layout)
	}},
	"deletes by prefix": {in: "layouts_are_apart", remove: func(s mem, layout string) error {
		for p := range viewOf(s, store.Pool{}).Others {
			if strings.HasPrefix(p.Layout, layout) {
				s.Delete(background, p.Layout)
			}
		}
		return nil
	}},
	"raises the same epoch": {in: "Raise_of_an_epoch",
		raise: func(s mem, p store.Pool, known head) (bool, error) {
			s.DeleteHead(p.Layout)
			return s.Raise(background, p, "", 0, known.ahead)
		}},
	"raises without slack": {in: "another_incarnation",
		raise: func(s mem, p store.Pool, known head) (bool, error) {
			return s.Raise(background, p, known.epoch, known.floor, min(known.ahead, p.Window()))
		}},
	"makes a head without slack": {in: "makes_a_head",
		raise: func(s mem, p store.Pool, known head) (bool, error) {
			if known.epoch == "" {
				known.ahead = min(known.ahead, p.Window())
			}
			return s.Raise(background, p, known.epoch, known.floor, known.ahead)
		}},
}

// opening and head are what Open and Raise are called with.
type opening struct {
	store.Pool
	workers        []int64
	created, nonce store.Nonce
	high           int64
}

type head struct {
	epoch        string
	floor, ahead int64
}

func (o opening) send(s mem) error {
	return s.Open(background, o.Pool, o.workers, o.created, o.nonce, o.high)
}

// opensLow opens rows at about the time of their creation.
func opensLow(s mem, o opening) error {
	v := viewOf(s, o.Pool)
	o.high = min(o.high, v.TickAt(v.Now))
	return o.send(s)
}

// viewOf is what an honest store shows.
func viewOf(s mem, p store.Pool) store.View {
	v, _ := s.View(background, p, 0, 1<<22)
	return v
}

// rowOf is a row in an honest store, or none.
func rowOf(s mem, p store.Pool, id int64) store.Row {
	for _, row := range viewOf(s, p).Rows {
		if row.Worker == id {
			return row
		}
	}
	return store.Row{}
}

// put makes a row.
func put(s mem, p store.Pool, row store.Row) {
	s.Create(background, p, []int64{row.Worker}, store.Nonce{})
	s.Edit(p.Layout, row.Worker, func(r *store.Row) bool { *r = row; return true })
}

// flawed is memstore with one thing wrong.
type flawed struct {
	mem
	flaw string
}

func (f flawed) Write(ctx context.Context, w store.Write) (bool, error) {
	if b := broken[f.flaw]; b.write != nil && ctx.Err() == nil {
		return b.write(f.mem, w)
	}
	return f.mem.Write(ctx, w)
}

func (f flawed) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v, err := f.mem.View(ctx, p, first, last)
	if b := broken[f.flaw]; b.view != nil && (err == nil || errors.Is(err, worker.ErrStore)) {
		return b.view(f.mem, v)
	}
	return v, err
}

func (f flawed) Now(ctx context.Context) (time.Time, error) {
	now, err := f.mem.Now(ctx)
	if b := broken[f.flaw]; b.now != nil {
		now = b.now(f.mem, now)
	}
	return now, err
}

func (f flawed) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	if b := broken[f.flaw]; b.create != nil && ctx.Err() == nil {
		return b.create(f.mem, p, workers, nonce)
	}
	return f.mem.Create(ctx, p, workers, nonce)
}

func (f flawed) Open(ctx context.Context, p store.Pool, workers []int64,
	created, nonce store.Nonce, high int64) error {
	if b := broken[f.flaw]; b.open != nil && ctx.Err() == nil {
		return b.open(f.mem, opening{p, workers, created, nonce, high})
	}
	return f.mem.Open(ctx, p, workers, created, nonce, high)
}

func (f flawed) Delete(ctx context.Context, layout string) error {
	if b := broken[f.flaw]; b.remove != nil && ctx.Err() == nil {
		return b.remove(f.mem, layout)
	}
	return f.mem.Delete(ctx, layout)
}

func (f flawed) Raise(ctx context.Context, p store.Pool, epoch string, floor, ahead int64) (
	bool, error) {
	if b := broken[f.flaw]; b.raise != nil && ctx.Err() == nil {
		return b.raise(f.mem, p, head{epoch, floor, ahead})
	}
	return f.mem.Raise(ctx, p, epoch, floor, ahead)
}

const asFlawed = "STORETEST_FLAW"

func TestBrokenStoresAreFound(t *testing.T) {
	if flaw := os.Getenv(asFlawed); flaw != "" {
		s := memstore.New()
		restart := func(*testing.T) { s.Restart(rand.Text()) }
		restart(t)
		storetest.Run(t, func(*testing.T) store.Store { return flawed{s, flaw} }, hands(s),
			storetest.WithRestart(restart))
		return
	}
	for flaw, b := range broken {
		t.Run(flaw, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestBrokenStoresAreFound$/"+b.in)
			cmd.Env = append(os.Environ(), asFlawed+"="+flaw)
			out, err := cmd.CombinedOutput()
			exit := (*exec.ExitError)(nil)
			require.ErrorAs(t, err, &exit, "the suite finds nothing wrong")
			assert.Contains(t, string(out), "--- FAIL: TestBrokenStoresAreFound/", "it ended otherwise")
		})
	}
}
