package idlog

import (
	"context"
	"io"
)

// source gives entries in order, and io.EOF at their end.
type source interface {
	next() (Entry, error)
}

// inMemory is a run that was not written.
type inMemory struct{ entries []Entry }

func (m *inMemory) next() (Entry, error) {
	if len(m.entries) == 0 {
		return Entry{}, io.EOF
	}
	e := m.entries[0]
	m.entries = m.entries[1:]
	return e, nil
}

// A cursor stands at the next entry of a source.
type cursor struct {
	Entry
	source source
}

func (c *cursor) before(d *cursor) bool {
	return c.ID < d.ID || c.ID == d.ID && c.At < d.At
}

// cursors are a heap, the one at the least entry on top. It is not container/heap's:
// through an interface, and with swaps in the place of moves, merging random ids
// takes half as long again.
type cursors []cursor

// sink moves the cursor at i down to where it belongs.
func (h cursors) sink(i int) {
	moved := h[i]
	for {
		least := 2*i + 1
		if least >= len(h) {
			break
		}
		if right := least + 1; right < len(h) && h[right].before(&h[least]) {
			least = right
		}
		if !h[least].before(&moved) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = moved
}

// merge goes through the entries of all sources in order.
func merge(ctx context.Context, sources []source, do func(Entry) error) error {
	var h cursors
	for _, s := range sources {
		switch e, err := s.next(); err {
		case nil:
			h = append(h, cursor{e, s})
		case io.EOF:
		default:
			return err
		}
	}
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
	for n := 0; len(h) > 0; n++ {
		if n%lookEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := do(h[0].Entry); err != nil {
			return err
		}
		switch e, err := h[0].source.next(); err {
		case nil:
			h[0].Entry = e
		case io.EOF:
			last := len(h) - 1
			h[0], h = h[last], h[:last]
		default:
			return err
		}
		if len(h) > 1 {
			h.sink(0)
		}
	}
	return nil
}

// lookEvery is after how many ids one looks at the clock, and whether to go on.
const lookEvery = 1 << 12
