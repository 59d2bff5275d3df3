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
type operator struct {
	*world
	rewinds int // of the store, when it was seen last
}

var errStoreDown = errors.New("the store is down")

// operate lets somebody type a command. What it says does not matter.
func (w *world) operate(command func(o *operator, c Claim) error) {
	if w.operators == 2 {
		return
	}
	w.operators++
	defer func() { w.operators-- }()
	c := Claim{
		Namespace: w.someSpace(), Owner: fmt.Sprint("owner ", w.IntN(2)),
		Slack:  time.Duration(w.slack) * simUnit,
		Logger: discard,
	}
	at := func() time.Time { return simStart.Add(w.now) }
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
	_, err := free(background, o, c, o.Int64N(int64(o.rows)))
	return err
}

// quarantineNow is `worker quarantine --now`.
func quarantineNow(o *operator, c Claim) error {
	v, err := o.View(background, c.Namespace, 0, -1)
	if err != nil {
		return err
	}
	return o.Quarantine(background, c.Namespace, v.SafeFloor(c.Slack))
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
func (o *operator) call(ask call) reply {
	o.goOn()
	if o.server.down > o.now {
		return reply{answer: answer{err: errStoreDown}}
	}
	return o.server.serve(message{peer: &process{w: o.world}, ask: ask, rewinds: o.rewinds})
}

func (o *operator) View(_ context.Context, space string, first, last int64) (store.View, error) {
	a := o.call(lookup{space, first, last})
	o.rewinds = a.rewinds
	return a.view, a.err
}

func (o *operator) Write(_ context.Context, w store.Write) (bool, error) {
	a := o.call(write{o.off.onFree(o.world, w)})
	return a.applied, a.err
}

func (o *operator) Raise(_ context.Context, r store.Raise) (bool, error) {
	if o.off == freeFloor {
		r.Margin--
	}
	a := o.call(raise{r})
	return a.applied, a.err
}

func (o *operator) Quarantine(_ context.Context, space string, floor int64) error {
	return o.call(quarantine{space, floor}).err
}

func (*operator) Check(context.Context) (Class, error) { return Fenced, nil }

func (o *operator) Init(ctx context.Context, n Namespace, opts InitOptions) error {
	return store.Init(ctx, catalog{o.server.mem.Catalog(), o, opts}, n, opts)
}
