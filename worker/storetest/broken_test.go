package storetest_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

type mem = *memory.Store

var background = context.Background()

// A suite is worth what it finds. Each store here breaks one sentence of the contract, and the
// suite, run in another process, must fail in the test named. Functions change a call
// before memstore gets it, or what is there then, or the answer.
var broken = map[string]struct {
	in       string // a part of the name of the test that must fail, if not each_operation
	write    func(s mem, w *store.Write)
	swallows func(s mem, w store.Write) bool // says that a write was applied, and sends none
	view     func(s mem, v *store.View) error
	now      func(s mem, now *time.Time)
	raise    func(s mem, r *raise)
	create   func(s mem, c *creation)
	open     func(s mem, o *opening)
	remove   func(s mem, layout *string)
}{
	"compares the first half of a nonce": {write: func(s mem, w *store.Write) {
		row := rowOf(s, w.Pool, w.Worker)
		for i, n := range w.Expect {
			if [8]byte(n[:8]) == [8]byte(row.Nonce[:8]) {
				w.Expect = append(w.Expect[:i:i], row.Nonce)
			}
		}
	}},
	"forgets the second nonce": {write: func(_ mem, w *store.Write) { w.Expect = w.Expect[:1] }},
	"takes held rows":          {write: func(_ mem, w *store.Write) { w.Acquire = false }},
	"keeps expired rows": {write: func(s mem, w *store.Write) {
		if w.Acquire && rowOf(s, w.Pool, w.Worker).Held {
			w.Expect = nil
		}
	}},
	"knows no case":     {write: func(_ mem, w *store.Write) { w.Layout = strings.ToLower(w.Layout) }},
	"asks for no epoch": {write: func(s mem, w *store.Write) { w.Epoch = viewOf(s, w.Pool).Epoch }},
	"has no window": {write: func(s mem, w *store.Write) {
		if !w.Release {
			w.High = min(w.High, grants.Last(viewOf(s, w.Pool)))
		}
	}},
	"cuts owners": {in: "are_exact",
		write: func(_ mem, w *store.Write) { w.Owner = w.Owner[:min(255, len(w.Owner))] }},
	"repeats a write": {in: "linearizable",
		write: func(s mem, w *store.Write) { s.Write(background, *w) }},
	"loses one write in ten": {in: "linearizable", swallows: func(_ mem, w store.Write) bool {
		return w.Owner == storetest.Owner && w.Nonce[0] < 26
	}},
	"writes rows that were only created": {write: func(s mem, w *store.Write) {
		s.Edit(w.Layout, w.Worker, func(r *store.Row) bool { r.Open = true; return true })
	}},
	"shows rows backwards": {in: "View", view: func(_ mem, v *store.View) error {
		slices.Reverse(v.Rows)
		return nil
	}},
	"shows any row of another layout": {in: "Others", view: func(s mem, v *store.View) error {
		for p := range v.Others {
			rows := viewOf(s, p).Rows
			v.Others[p] = rows[len(rows)-1]
		}
		return nil
	}},
	"shows one row alone": {in: "Others", view: func(_ mem, v *store.View) error {
		if len(v.Rows) == 1 {
			clear(v.Others)
		}
		return nil
	}},
	"shows rows of other ticks": {in: "another_unit",
		view: func(_ mem, v *store.View) error { v.Unreadable = nil; return nil }},
	"remembers the time": {in: "time_is_asked",
		now: func(_ mem, now *time.Time) { *now = now.Truncate(time.Minute) }},
	"tells an early time": {in: "time_is_asked",
		now: func(_ mem, now *time.Time) { *now = now.Add(-time.Second) }},
	"creates rows that are open": {create: func(s mem, c *creation) {
		s.Create(background, c.Pool, c.workers, c.nonce)
		s.Open(background, c.Pool, c.workers, c.nonce, store.Row{Nonce: c.nonce, Open: true})
	}},
	"opens what it did not see": {open: func(s mem, o *opening) {
		for _, id := range o.workers {
			s.Open(background, o.Pool, o.workers, rowOf(s, o.Pool, id).Nonce, o.opened)
		}
	}},
	"opens twice": {in: "many_Create_and_Open", open: func(s mem, o *opening) {
		for _, id := range o.workers {
			s.Edit(o.Layout, id, func(r *store.Row) bool {
				r.Nonce, r.Open = o.created, false
				return true
			})
		}
	}},
	"opens only the first row": {in: "many_rows",
		open: func(_ mem, o *opening) { o.workers = o.workers[:min(1, len(o.workers))] }},
	"opens a window too low": {in: "under_their_holders", open: func(s mem, o *opening) {
		v := viewOf(s, o.Pool)
		o.opened.High = min(o.opened.High, v.TickAt(v.Now))
	}},
	"deletes all for one layout": {in: "Delete",
		remove: func(_ mem, layout *string) { *layout = "" }},
	"deletes heads": {in: "Delete", remove: func(s mem, layout *string) { s.DeleteHead(*layout) }},
	"deletes by prefix": {in: "layouts_are_apart", remove: func(s mem, layout *string) {
		for p := range viewOf(s, store.Pool{}).Others {
			if strings.HasPrefix(p.Layout, *layout) {
				s.Delete(background, p.Layout)
			}
		}
	}},
	"raises any head": {in: "heads", raise: func(s mem, r *raise) {
		s.DeleteHead(r.Layout)
		r.was = store.Head{}
	}},
	"compares no slack": {in: "heads", raise: func(s mem, r *raise) {
		r.was.Slack = viewOf(s, r.Pool).Slack
	}},
	"raises without slack": {in: "heads",
		raise: func(_ mem, r *raise) { r.ahead = min(r.ahead, r.Window()) }},
}

// creation, opening and raise are the arguments of Create, Open and Raise.
type creation struct {
	store.Pool
	workers []int64
	nonce   store.Nonce
}

type opening struct {
	store.Pool
	workers []int64
	created store.Nonce
	opened  store.Row
}

type raise struct {
	store.Pool
	was   store.Head
	ahead int64
	slack time.Duration
}

// viewOf is what an honest store shows.
func viewOf(s mem, p store.Pool) store.View {
	v, _ := s.View(background, p, 0, 1<<22)
	return v
}

// rowOf is a row in an honest store, or none.
func rowOf(s mem, p store.Pool, id int64) store.Row {
	v, _ := s.View(background, p, id, id)
	return append(v.Rows, store.Row{})[0]
}

// flawed is memstore with one thing wrong.
type flawed struct {
	mem
	flaw string
}

// change lets a flaw change the arguments of a call.
func change[C any](ctx context.Context, f flawed, how func(mem, *C), c *C) {
	if how != nil && ctx.Err() == nil {
		how(f.mem, c)
	}
}

func (f flawed) Write(ctx context.Context, w store.Write) (bool, error) {
	b := broken[f.flaw]
	if b.swallows != nil && ctx.Err() == nil && b.swallows(f.mem, w) {
		return true, nil
	}
	change(ctx, f, b.write, &w)
	return f.mem.Write(ctx, w)
}

func (f flawed) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v, err := f.mem.View(ctx, p, first, last)
	if b := broken[f.flaw]; b.view != nil && (err == nil || errors.Is(err, worker.ErrStore)) {
		err = b.view(f.mem, &v)
	}
	return v, err
}

func (f flawed) Now(ctx context.Context) (time.Time, error) {
	now, err := f.mem.Now(ctx)
	change(ctx, f, broken[f.flaw].now, &now)
	return now, err
}

func (f flawed) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	c := creation{p, workers, nonce}
	change(ctx, f, broken[f.flaw].create, &c)
	return f.mem.Create(ctx, c.Pool, c.workers, c.nonce)
}

func (f flawed) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	o := opening{p, workers, created, opened}
	change(ctx, f, broken[f.flaw].open, &o)
	return f.mem.Open(ctx, o.Pool, o.workers, o.created, o.opened)
}

func (f flawed) Delete(ctx context.Context, layout string) error {
	change(ctx, f, broken[f.flaw].remove, &layout)
	return f.mem.Delete(ctx, layout)
}

func (f flawed) Raise(ctx context.Context, p store.Pool, was store.Head, ahead int64,
	slack time.Duration) (bool, error) {
	r := raise{p, was, ahead, slack}
	change(ctx, f, broken[f.flaw].raise, &r)
	return f.mem.Raise(ctx, r.Pool, r.was, r.ahead, r.slack)
}

const inTest = "STORETEST_IN"

func TestBrokenStoresAreFound(t *testing.T) {
	found := map[string][]string{} // flaws, by the test that must fail
	for flaw, b := range broken {
		in := cmp.Or(b.in, "each_operation")
		if found[in] = append(found[in], flaw); os.Getenv(inTest) == in {
			t.Run(flaw, func(t *testing.T) {
				s := memory.New()
				storetest.Run(t, func(*testing.T) store.Store { return flawed{s, flaw} }, headed(s))
			})
		}
	}
	if os.Getenv(inTest) != "" {
		return
	}
	for in, flaws := range found {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestBrokenStoresAreFound$//"+in)
			cmd.Env = append(os.Environ(), inTest+"="+in)
			out, _ := cmd.CombinedOutput()
			for _, flaw := range flaws {
				name := "--- FAIL: TestBrokenStoresAreFound/" + strings.ReplaceAll(flaw, " ", "_") + "/"
				assert.Contains(t, string(out), name, "the suite finds nothing wrong, or ended otherwise")
			}
		})
	}
}
