package worker

import (
	"context"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// otherSpace is a second namespace of the same layout. The oracle looks at worker ids
// and ticks alone, whatever the namespace.
const otherSpace = "other"

// someSpace is where a process or an operator turns to.
func (w *world) someSpace() string {
	if w.odds.found > 0 && w.IntN(3) == 0 {
		return otherSpace
	}
	return simSpace
}

// someWindow is a short one or a long one.
func (w *world) someWindow() int64 { return (2 + w.Int64N(8)) * (1 + 7*w.Int64N(2)) }

// makeAgain is what somebody does to namespaces: deletes one, or a part of it, and
// makes one, which may be the same. The record of the layout is left.
func makeAgain(o *operator, c Claim) error {
	mem, id := o.server.mem, o.Int64N(int64(o.rows))
	switch o.IntN(8) {
	case 0, 1:
		mem.Drop(c.Namespace)
		o.say("%q is dropped", c.Namespace)
	case 2, 3:
		mem.DropNamespace(c.Namespace)
		o.say("%q is dropped, and its rows are left", c.Namespace)
	case 4:
		mem.DropRow(c.Namespace, id)
		o.say("the row of worker id %d of %q is dropped", id, c.Namespace)
	}
	o.goOn()
	space := c.Namespace
	if o.IntN(3) == 0 {
		space = o.someSpace()
	}
	n := o.settings(space)
	// Fresh is an operator's word: not true, but harmless where a record knows better.
	fresh := !o.server.forgets() && o.IntN(2) == 0
	o.say("init of %q, worker ids %d to %d, window %d, fresh %v", n.Name, n.First, n.Last, n.Window,
		fresh)
	return o.Init(background, n,
		InitOptions{Fresh: fresh, Slack: c.Slack, Apart: o.off == allowOverlap})
}

// settings are those of a namespace that is there, now and then with more worker ids,
// or any.
func (o *operator) settings(space string) Namespace {
	most := int64(o.rows) // one more than at the start
	v, err := o.server.mem.View(background, space, 0, -1)
	n := v.Namespace
	if err != nil || o.IntN(4) == 0 {
		n = Namespace{Name: space, Fingerprint: simLayout, Unit: simUnit, Window: o.window}
		n.First = o.Int64N(most + 1)
		n.Last = n.First + o.Int64N(most+1-n.First)
		if !o.server.forgets() {
			n.Window = o.someWindow()
		}
		return n
	}
	if o.IntN(2) == 0 {
		n.First, n.Last = o.Int64N(n.First+1), max(n.Last, o.Int64N(most+1))
	}
	return n
}

// catalog is the store's, in a world that goes on between one call and the next.
type catalog struct {
	store.Catalog
	o       *operator
	options InitOptions
}

// goOn lets the world go on, unless the store may lose the reservation of an Init that
// is under way: that is not promised.
func (c catalog) goOn() {
	if !c.o.server.forgets() {
		c.o.goOn()
	}
}

func (c catalog) Clock(ctx context.Context) (time.Time, bool, error) {
	c.goOn()
	return c.Catalog.Clock(ctx)
}

func (c catalog) Namespace(ctx context.Context, name string) (Namespace, error) {
	c.goOn()
	return c.Catalog.Namespace(ctx, name)
}

func (c catalog) Namespaces(ctx context.Context) ([]Namespace, error) {
	c.goOn()
	return c.Catalog.Namespaces(ctx)
}

func (c catalog) Space(ctx context.Context, fingerprint string) (string, error) {
	c.goOn()
	return c.Catalog.Space(ctx, fingerprint)
}

func (c catalog) ReplaceSpace(ctx context.Context, fingerprint, old, text string) (bool, error) {
	c.goOn()
	if c.o.IntN(10) == 0 || c.o.server.down > c.o.now {
		return false, errStoreDown
	}
	return c.Catalog.ReplaceSpace(ctx, fingerprint, old, text)
}

func (c catalog) Make(ctx context.Context, n, have Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	c.goOn()
	if c.o.IntN(10) == 0 || c.o.server.down > c.o.now {
		return false, errStoreDown
	}
	made, err := c.Catalog.Make(ctx, n, have, space, c.o.off.onFloor(n, c.options, floor))
	if made {
		c.o.oracle.made(n, c.o.server.name(n))
	}
	return made, err
}

func (c catalog) Quarantine(ctx context.Context, namespace string, floor int64) error {
	c.goOn()
	return c.Catalog.Quarantine(ctx, namespace, floor)
}

// made checks that rows begin above all that was granted with their worker ids.
func (o *oracle) made(n Namespace, rows []store.Row) {
	o.changed = true
	for _, row := range rows {
		delete(o.high, rowKey{n.Name, row.Worker})
		o.w.say("  worker id %d is made, and begins above %v", row.Worker, short(row.High))
		if top, any := o.tops[row.Worker]; any && row.High < top && !o.w.soft {
			o.w.fail("I7: worker id %d of %q begins above %v, and %v was granted", row.Worker, n.Name,
				short(row.High), short(top))
		}
	}
}
