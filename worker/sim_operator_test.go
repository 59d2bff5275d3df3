package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

var errStoreDown = errors.New("the store is down")

// operate lets somebody type a command, in a world that goes on between one call and the next.
// What it says does not matter.
func (w *world) operate(command func(w *world, o *caller) error) {
	if w.operators == 2 {
		return
	}
	w.operators++
	defer func() { w.operators-- }()
	c := Claim{
		Count: int64(w.rows), Owner: fmt.Sprint("owner ", w.IntN(2)),
		Slack:  w.ownSlack(),
		Logger: discard,
		guest:  true,
	}
	if w.disagree && w.IntN(2) == 0 {
		c.Slack = 0
	}
	typist := &process{w: w, claim: c}
	at := func() time.Time { return simStart.Add(w.now + w.server.off) }
	c = c.rigged(at, func() time.Duration { return w.now }, nonces{&process{w: w}})
	n := Need{Unit: w.unit, Fingerprint: simLayout, MaxID: int64(w.rows)}
	act := func(call any) answer {
		for range w.IntN(12) {
			if w.broken == nil {
				w.step()
			}
		}
		var r reply
		switch {
		case w.broken != nil, call != nil && w.server.down > w.now:
			r.err = errStoreDown
		case call != nil:
			r = w.server.serve(message{peer: typist, ask: w.off.slackOf(typist, w.off.typed(w, call))})
		}
		return r.answer
	}
	s := through(func(_ context.Context, call any) answer { return act(call) })
	o := c.caller(background, s, n)
	o.sleep = func(time.Duration, <-chan struct{}) error { return act(nil).err }
	w.say("the operator's command: %v", command(w, &o))
}

// typed is a call of an operator's command.
func (m mutation) typed(w *world, q any) any {
	switch q := q.(type) {
	case store.Write:
		if m == freeHigh {
			q.High = min(q.High, w.tickAt(w.server.now()))
		}
		return q
	case raising:
		if m == freeFloor {
			q.ahead--
		}
		return q
	}
	return q
}

// freeRow is `worker release` or `worker steal`.
func freeRow(w *world, o *caller) error {
	_, err := o.free(w.Int64N(int64(w.rows)), w.IntN(2) == 0)
	return err
}

// remove is what people delete, or create ahead of time.
func remove(w *world, o *caller) error {
	mem, id := w.server.mem, w.Int64N(int64(w.rows))
	what := w.IntN(6)
	if w.documents && (what == 0 || what == 3) {
		w.server.docs.wipe()
		return nil
	}
	switch what {
	case 0:
		mem.Edit(simLayout, id, func(*store.Row) bool { return false })
		w.say("the row of worker id %d is deleted", id)
	case 1:
		return quarantine(w, o)
	case 2:
		return o.delete("")
	case 3:
		if !w.disagree { // else the pool's slack is deleted with it
			mem.DeleteHead(simLayout)
			w.say("the head is deleted")
		}
	case 4: // FLUSHALL, or DROP TABLE
		if !w.disagree {
			mem.DeleteHead(simLayout)
			mem.DeleteHead(otherLayout)
		}
		return o.delete("")
	case 5:
		g := growth{caller: *o}
		_, err := g.createRows()
		return err
	}
	return nil
}

// quarantine is `worker quarantine`.
func quarantine(w *world, o *caller) error {
	if w.off == deleteAhead {
		return o.delete("")
	}
	_, err := o.quarantine(QuarantineOptions{})
	return err
}
