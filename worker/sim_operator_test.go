package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// operator is somebody at the command line: a Store for what the command
// calls, in a world that goes on between one call and the next.
type operator struct{ *world }

var errStoreDown = errors.New("the store is down")

// operate lets somebody type a command. What it says does not matter.
func (w *world) operate(command func(o *operator, c Claim) error) {
	if w.operators == 2 {
		return
	}
	w.operators++
	defer func() { w.operators-- }()
	c := Claim{
		Last: int64(w.rows) - 1, Owner: fmt.Sprint("owner ", w.IntN(2)),
		Slack:  time.Duration(w.slack) * w.unit,
		Logger: discard,
	}
	at := func() time.Time { return simStart.Add(w.now + w.server.off) }
	c = c.rigged(at, func() time.Duration { return w.now }, nonces{&process{w: w}})
	err := command(&operator{world: w}, c)
	w.say("the operator's command: %v", err)
}

// freeRow is `worker release` or `worker steal`.
func freeRow(o *operator, c Claim) error {
	free := Free
	if o.IntN(2) == 0 {
		free = Steal
	}
	_, err := free(background, o, c, o.pool(simLayout), o.Int64N(int64(o.rows)))
	return err
}

// remove is what people delete, or create ahead of time.
func remove(o *operator, c Claim) error {
	mem, id := o.server.mem, o.Int64N(int64(o.rows))
	switch o.IntN(6) {
	case 0:
		mem.Edit(simLayout, id, func(*store.Row) bool { return false })
		o.say("the row of worker id %d is deleted", id)
	case 1:
		return o.Delete(background, simLayout) // `worker quarantine`
	case 2:
		return o.Delete(background, "")
	case 3:
		mem.DeleteHead(simLayout)
		o.say("the head is deleted")
	case 4: // FLUSHALL, or DROP TABLE
		mem.DeleteHead(simLayout)
		mem.DeleteHead(otherLayout)
		return o.Delete(background, "")
	case 5:
		n := Need{Unit: o.unit, Fingerprint: simLayout, MaxID: int64(o.rows)}
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		_, err := Init(ctx, o, c, n, false)
		return err
	}
	return nil
}

// goOn lets some time pass.
func (o *operator) goOn() {
	for range o.IntN(12) {
		if o.broken == nil {
			o.step()
		}
	}
}

// call is one call of the store, some time after the one before.
func (o *operator) call(ask any) reply {
	o.goOn()
	if o.server.down > o.now || o.broken != nil {
		return reply{answer: answer{err: errStoreDown}}
	}
	return o.server.serve(message{peer: &process{w: o.world}, ask: ask})
}

func (o *operator) View(_ context.Context, p Pool, first, last int64) (store.View, error) {
	a := o.call(lookup{p, first, last})
	return a.view, a.err
}

func (o *operator) Now(context.Context) (time.Time, error) {
	a := o.call(askTime{})
	return a.now, a.err
}

func (o *operator) Create(_ context.Context, c store.Creation) error {
	return o.call(c).err
}

func (o *operator) Open(_ context.Context, op store.Opening) error { return o.call(op).err }

func (o *operator) Write(_ context.Context, w store.Write) (bool, error) {
	a := o.call(o.off.onFree(o.world, w))
	return a.applied, a.err
}

func (o *operator) Raise(_ context.Context, r store.Raise) (bool, error) {
	if o.off == freeFloor {
		r.Slack -= o.unit
	}
	a := o.call(r)
	return a.applied, a.err
}

func (o *operator) Delete(_ context.Context, layout string) error {
	return o.call(purge{layout: layout}).err
}

func (*operator) Check(context.Context) (Class, error) { return Fenced, nil }

var _ store.Raiser = (*operator)(nil)
