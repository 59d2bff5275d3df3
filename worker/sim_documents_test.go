package worker

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/rows"
	"github.com/ringuid/ringuid/worker/docstore"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// In some worlds the store is package docstore's, whose documents are all that the server has. A
// call is then several requests, each of which may be lost, repeated, or come late. There also
//
//	what a request makes of the rows is what its call would make of them then
//	a creation makes each of its rows once
//
// People delete documents, or stop everything, restore old ones, quarantine and start again. No
// copies of requests that make rows come after that: docs/stores.md says so.
//
// The writes of these worlds have no clock. No process is cloned there, since a copy of a process
// would have to repeat half of a call.

// documents are what the server has. Its rows are copied to server.mem after each change.
type documents struct {
	w      *world
	values [16]value
	past   [][16]value
	made   map[making]bool
	own    store.Store // of people
	call   any         // of theirs
}

type value struct {
	text  string // empty: there is none
	count int
}

// making is a row that a creation made.
type making struct {
	store.Nonce
	worker int64
}

// request is a Load or a Save that a call of a store makes, or a wait.
type request struct {
	call any
	part int
	save string // empty: a Load
	tag  string
	wait time.Duration
}

// rig is what docstore has for the simulation.
type rig interface {
	Rig(machine clock.Clock, text func() string,
		wait func(ctx context.Context, most time.Duration) error)
}

func (w *world) docstore(machine clock.Clock, do func(request) (reply, error)) store.Store {
	s := docstore.New(func(part int) docstore.Document { return &remote{w, part, do} },
		docstore.Options{})
	s.(rig).Rig(machine, func() string { return fmt.Sprintf("%016x", w.Uint64()) },
		func(_ context.Context, most time.Duration) error {
			_, err := do(request{wait: w.duration(0, most)})
			return err
		})
	return s
}

// remote is a document. Those that no worker id has are not there, and nobody asks for them.
type remote struct {
	w    *world
	part int
	do   func(request) (reply, error)
}

func (r *remote) Load(context.Context) (docstore.Snapshot, error) {
	if r.part >= r.w.rows {
		return docstore.Snapshot{Shown: r.w.server.docs.shown(), Grain: time.Second}, nil
	}
	got, err := r.do(request{part: r.part})
	if r.w.off == firstWithRows && err == nil && got.snapshot.Tag == "" {
		got.snapshot.Tag = "none"
		got.snapshot.Value = fmt.Appendf(nil, `{"ringuid":1,"part":%d,"version":"none"}`, r.part)
	}
	return got.snapshot, err
}

func (r *remote) Save(_ context.Context, value []byte, tag string) (bool, error) {
	text := string(value)
	if r.w.off == noMade {
		var d map[string]any
		json.Unmarshal(value, &d)
		d["made"] = map[string]any{}
		value, _ = json.Marshal(d)
		text = string(value)
	}
	got, err := r.do(request{part: r.part, save: text, tag: strings.TrimPrefix(tag, "none")})
	return got.applied, err
}

func newDocuments(w *world) *documents {
	d := &documents{w: w, made: map[making]bool{}}
	machine := clock.Clock{Wall: func() time.Time { return w.server.now() },
		Mono: func() time.Duration { return w.now }}
	d.own = w.docstore(machine, func(r request) (reply, error) {
		r.call = d.call
		return d.serve(r), nil
	})
	return d
}

// shown is what answers say of the time.
func (d *documents) shown() time.Time { return d.w.server.now().Truncate(time.Second) }

// direct makes a call of somebody whose requests are all answered at once.
func (d *documents) direct(call any) answer {
	d.call = call
	return ask(background, d.own, call)
}

func (d *documents) tag(v value) string {
	switch {
	case v.text == "":
		return ""
	case d.w.off == countedTags:
		return fmt.Sprint(v.count)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(v.text)))
}

func (d *documents) serve(r request) (a reply) {
	v := &d.values[r.part]
	a.snapshot = docstore.Snapshot{Tag: d.tag(*v), Shown: d.shown(), Grain: time.Second}
	if v.text != "" {
		a.snapshot.Value = []byte(v.text)
	}
	if r.save == "" || r.wait > 0 {
		return a
	}
	if a.applied = d.tag(*v) == r.tag; !a.applied {
		return a
	}
	if d.w.IntN(3) == 0 {
		d.past = append(d.past, d.values)[max(0, len(d.past)-5):]
	}
	before, was := d.rows(r.part), d.w.server.view(simLayout, 0, int64(d.w.rows))
	d.put(r.part, r.save)
	d.check(r, before, d.rows(r.part))
	switch call := r.call.(type) {
	case opening:
		d.w.oracle.opened(was, d.w.server.view(simLayout, 0, int64(d.w.rows)))
	case purge:
		d.w.oracle.deleted()
	case store.Write:
		k := rows.Key{Layout: call.Layout, Worker: call.Worker}
		if row := d.rows(r.part)[k]; row.Nonce == call.Nonce {
			d.w.server.latest = later(d.w.server.latest, d.w.server.now())
			d.w.oracle.applied(nil, call, one(call, before[k]), one(call, row))
		}
	}
	return a
}

// one is a view of the row of a write.
func one(w store.Write, r rows.Row) store.View {
	return store.View{Pool: w.Pool, Rows: []store.Row{r.Row}}
}

// put sets a value, and copies the rows of all to the store that the oracle looks at.
func (d *documents) put(part int, text string) {
	d.values[part].text = text
	d.values[part].count++
	all := rows.Rows{}
	for part := range d.values {
		maps.Copy(all, d.rows(part))
	}
	d.w.server.mem.Replace(all)
}

// rows are those of a document.
func (d *documents) rows(part int) rows.Rows {
	var text struct{ Rows map[string]json.RawMessage }
	all := rows.Rows{}
	json.Unmarshal([]byte(d.values[part].text), &text)
	for path, row := range text.Rows {
		k, bad := textstore.ParsePath("", path)
		p, r, err := store.ParseRow(k.Layout, k.Worker, string(row))
		if bad != nil || err != nil {
			d.w.fail("row %s: %v", path, errors.Join(bad, err))
		}
		all[k] = rows.Row{Row: r, Unit: p.Unit}
	}
	return all
}

// check compares what a request has made of the rows of its document with what its call makes.
func (d *documents) check(r request, before, after rows.Rows) {
	w, want := d.w, maps.Clone(before)
	mine := func(workers []int64) []int64 {
		return slices.DeleteFunc(slices.Clone(workers), func(id int64) bool {
			return int(id%16) != r.part
		})
	}
	switch call := r.call.(type) {
	case creation:
		want.Create(call.Pool, mine(call.workers), call.nonce)
		if len(after) == 0 { // the first, which has none
			want = after
		}
		for k := range after {
			if _, old := before[k]; !old && d.made[making{call.nonce, k.Worker}] {
				w.fail("the creation %.4x makes worker id %d again", call.nonce, k.Worker)
			} else if !old {
				d.made[making{call.nonce, k.Worker}] = true
			}
		}
	case opening:
		want.Open(call.Pool, mine(call.workers), call.created, call.opened)
	case store.Write:
		want.Write(call, after[rows.Key{Layout: call.Layout, Worker: call.Worker}].Renewed)
	case purge:
		want.Delete(call.layout)
	}
	w.say("  document %d: %v", r.part, slices.Sorted(maps.Keys(ids(after))))
	if fmt.Sprint(want) != fmt.Sprint(after) {
		w.fail("%T makes of %v in document %d not %v but %v", r.call, before, r.part, want, after)
	}
}

func ids(m rows.Rows) map[int64]bool {
	all := map[int64]bool{}
	for k := range m {
		all[k.Worker] = true
	}
	return all
}

// wipe is what somebody does who deletes documents by hand.
func (d *documents) wipe() {
	d.w.say("somebody deletes the documents")
	for part := range d.values {
		d.put(part, "")
	}
	d.noCopies()
	d.w.oracle.deleted()
}

// restore is what people do who restore an old state: they stop all, restore, quarantine, start.
func (d *documents) restore() {
	d.w.say("all are stopped for a restore")
	for _, p := range slices.Clone(d.w.processes) {
		p.gone("somebody stops it")
	}
	for part, v := range d.past[d.w.IntN(len(d.past))] {
		d.put(part, v.text)
		d.values[part].count = v.count
	}
	d.direct(purge{})
	d.noCopies()
}

// noCopies drops the copies of requests that make rows in documents, and the calls that make some:
// what remembers them is gone.
func (d *documents) noCopies() {
	w := d.w
	w.network = slices.DeleteFunc(w.network, func(m message) bool {
		r, _ := m.ask.(request)
		_, creates := r.call.(creation)
		return creates && r.tag != "" && !m.back
	})
	for _, p := range w.processes {
		if _, creates := p.client.call.(creation); creates && p.client.busy {
			w.calls++
			p.call = w.calls // nobody answers that
		}
	}
}

// client makes the calls of a process, request by request.
type client struct {
	p      *process
	store  store.Store
	call   any
	next   func() (request, bool)
	stop   func()
	yield  func(request) bool
	got    reply
	result answer
	busy   bool
}

func newClient(p *process) *client {
	c := &client{p: p}
	c.store = p.w.docstore(clock.Clock{Wall: p.wall, Mono: p.mono}, func(r request) (reply, error) {
		if r.call = c.call; !c.yield(r) {
			return reply{}, context.Canceled
		}
		return c.got, nil
	})
	return c
}

func (c *client) begin(call any) {
	c.call, c.busy = call, true
	c.next, c.stop = iter.Pull(func(yield func(request) bool) {
		c.yield = yield
		c.result = ask(background, c.store, call)
	})
	c.resume(reply{})
}

// resume is told an answer, and sends the next request, or has the answer of the call.
func (c *client) resume(r reply) {
	w := c.p.w
	c.got = r
	w.calls++
	c.p.call = w.calls
	next, more := c.next()
	switch {
	case !more:
		c.busy = false
		c.p.inbox = []message{{reply: reply{answer: c.result}}}
	case next.wait > 0:
		w.network = append(w.network,
			message{at: w.now + next.wait, back: true, call: w.calls, peer: c.p})
	default:
		w.send(message{call: w.calls, peer: c.p, ask: next})
	}
}

// end ends the call that is under way, as the end of its context does.
func (c *client) end() {
	if c != nil && c.busy {
		c.stop()
		c.busy = false
	}
}
