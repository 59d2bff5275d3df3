package docstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/worker/internal/textstore"
)

// errRaces means that other processes kept changing a document, and nothing was written.
var errRaces = errors.New("other processes kept changing the document, or the store takes no " +
	"more writes now; nothing was written")

// change makes a change to a document, again and again until nobody else changes it meanwhile. how
// makes it in a copy, and reports whether there is anything to change. A no counts only if the
// document was loaded in this call. After a request was refused, the document may
// show that a copy of it was done: how notices that.
func (s *place) change(ctx context.Context, part int,
	how func(d *document, now time.Time) bool) (changed bool, err error) {
	refused := 0 // requests
	var loading, saving time.Duration
	d := s.take(part)
	for fresh := d == nil; ; fresh, d = true, nil {
		if d == nil {
			began := s.machine.Mono()
			d, err = s.load(ctx, part)
			loading = s.machine.Mono() - began
			if err != nil && refused > 0 && ctx.Err() != nil {
				err = fmt.Errorf("%w: %w", errRaces, err)
			}
			if err != nil {
				return false, err
			}
			s.take(part)
		}
		next := d.next(s.text(), s.reading().Now)
		if !how(next, s.reading().Now) {
			if fresh {
				return false, nil
			}
			continue
		}
		if d.tag == "" { // a repetition of the first request must not make rows
			next = empty(part, next.version)
		}
		if end, ends := ctx.Deadline(); ends && refused > 0 && time.Until(end) < loading+saving {
			return false, errRaces
		}
		began := s.machine.Mono()
		saved, err := s.save(ctx, next, d.tag)
		saving = s.machine.Mono() - began
		switch {
		case err != nil || saved && d.tag != "":
			return saved, err
		case saved:
			continue
		}
		refused++
		if err := s.wait(ctx, min(time.Duration(refused)*firstWait, longestWait)); err != nil {
			return false, fmt.Errorf("%w: %w", errRaces, err)
		}
	}
}

// The longest wait after the first Save that was refused, and after many.
const firstWait, longestWait = 20 * time.Millisecond, 400 * time.Millisecond

// wait waits for a random time.
func wait(ctx context.Context, most time.Duration) error {
	select {
	case <-time.After(rand.N(most)):
	case <-ctx.Done():
	}
	return context.Cause(ctx)
}

// take returns the document that was loaded last, and that no other change began with; nil: none.
func (s *place) take(part int) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.unused[part] {
		return nil
	}
	s.unused[part] = false
	return s.seen[part]
}

func (s *place) reading() textstore.Reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// fetch loads a document's value, and notes the time.
func (s *place) fetch(ctx context.Context, part int) (v Snapshot, err error) {
	if err = context.Cause(ctx); err == nil {
		v, err = s.at[part].Load(ctx)
	}
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.last = s.last.Next(v.Shown, v.Grain, s.machine.Mono())
	}
	return v, err
}

// load returns a document, which nobody changes. A value with the same tag need not be read again.
func (s *place) load(ctx context.Context, part int) (*document, error) {
	v, err := s.fetch(ctx, part)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	d := s.seen[part]
	s.mu.Unlock()
	if d == nil || d.tag != v.Tag {
		d, err = read(part, v, d)
	}
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen[part], s.unused[part] = d, true
	}
	return d, err
}

func (s *place) save(ctx context.Context, d *document, tag string) (saved bool, err error) {
	value, err := d.value()
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return false, err
	}
	if saved, err = s.at[d.part].Save(ctx, value, tag); err != nil {
		return false, textstore.Unanswered(err)
	}
	return saved, nil
}
