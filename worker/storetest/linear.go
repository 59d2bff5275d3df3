package storetest

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// Owner is in each write that Linearizable sends, and in no other request, so that a proxy can
// recognise the answer to cut off.
const Owner = "linearizable-writer"

// Linearizable lets several clients read and write one row of s at once, and checks that
// their answers can be explained by one order of all operations that agrees with the time
// of each. faults, if not nil, is called now and then before a write, one call at a time.
// It must break the connection of that write after the request was passed on, so that the
// outcome is not known.
func Linearizable(t *testing.T, s store.Store, faults func()) {
	linearizable(newFixture(t, s, Options{}), faults)
}

func linearizable(f *fixture, faults func()) {
	const clients, operations = 5, 30
	began := f.modelled(f.pool, first, first)
	h := &history{}
	var disturb sync.Mutex
	var all sync.WaitGroup
	for id := range clients {
		all.Go(func() {
			client := client{fixture: f, id: id, h: h}
			for range operations {
				client.operate(func() {
					if faults != nil && rand.IntN(6) == 0 {
						disturb.Lock()
						defer disturb.Unlock()
						faults()
					}
				})
			}
		})
	}
	all.Wait()
	leasetest.Until(f.t, "the store answers after all faults", func() error {
		_, err := (&client{fixture: f, h: h}).look()
		return err
	})
	h.begin(clients, input{end: true})(output{})
	h.check(f.t, model(began.Rows[0], began.Now), faults != nil)
}

// client performs one operation after another, like a holder that has lost all its caution.
type client struct {
	*fixture
	id      int
	h       *history
	pending *store.Nonce // of the last write whose outcome is not known
}

func (c *client) look() (store.View, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 5*time.Second)
	defer cancel()
	done := c.h.begin(c.id, input{view: true})
	v, err := c.store.View(ctx, c.pool, first, first)
	if err == nil {
		done(output{row: v.Rows[0]})
	}
	return v, err
}

// operate reads the row and writes it, in a random one of the possible ways.
func (c *client) operate(disturb func()) {
	v, err := c.look()
	if err != nil {
		return // the view showed nothing, and changed nothing
	}
	k := []kind{acquire, acquire, acquire, release, release, extend, extend, extend}[rand.IntN(8)]
	w := prepare(v, k)
	w.High, w.Owner = v.TickAt(v.Now)+rand.Int64N(2), Owner // within the window even a tick later
	if rand.IntN(8) == 0 {
		w.High += 10 * v.Window()
	}
	if c.pending != nil {
		w.Expect = append(w.Expect, *c.pending)
	}
	disturb()
	ctx, cancel := context.WithTimeout(c.t.Context(), 5*time.Second)
	defer cancel()
	done := c.h.begin(c.id, input{write: w})
	applied, err := c.store.Write(ctx, w)
	if err != nil {
		c.pending = &w.Nonce
		done(output{unknown: true})
		return
	}
	done(output{applied: applied})
}

// history is what the clients asked and were answered, in an order that a counter gives.
type history struct {
	clock atomic.Int64
	mu    sync.Mutex
	ops   []porcupine.Operation
}

// begin notes the start of an operation, and the function that it returns notes its end. An
// operation that is never ended leaves no trace.
func (h *history) begin(client int, in input) (done func(output)) {
	call := h.clock.Add(1)
	return func(out output) {
		end := h.clock.Add(1)
		if out.unknown {
			end = math.MaxInt64 // it may happen at any time, or never
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: in, Call: call, Output: out,
			Return: end})
	}
}

func (h *history) check(t *testing.T, m porcupine.Model, faults bool) {
	writes := map[output]int{}
	for _, op := range h.ops {
		if in := op.Input.(input); !in.view && !in.end {
			writes[op.Output.(output)]++
		}
	}
	applied, missed := writes[output{applied: true}], writes[output{}]
	unknown := writes[output{unknown: true}]
	t.Logf("%d writes applied, %d missed, %d unknown", applied, missed, unknown)
	require.NotZero(t, applied, "no write was applied")
	require.NotZero(t, missed, "no write missed: the clients were never at it at once")
	require.Equal(t, faults, unknown > 0, "writes of unknown outcome")
	// Unknown if it is not decided in a minute; Illegal if no order explains what the clients heard.
	result := porcupine.CheckOperationsTimeout(m, h.ops, time.Minute)
	require.Equal(t, porcupine.Ok, result, "by their ends: %+v", h.ops)
}
