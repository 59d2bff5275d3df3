package k8sstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/worker/internal/rollback"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Write is described at store.Store. It decides on what it knows of the row, and the
// server applies that if the row, and the terms that it is held under, are still so.
func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	doing := fmt.Sprintf("writing worker id %d in %q", w.Worker, w.Namespace)
	if err := s.usable(ctx); err != nil {
		return false, s.explain(doing, err)
	}
	applied, err := s.write(ctx, w)
	if errors.Is(err, errNoRow) {
		err = fmt.Errorf("%w: %w: %s", store.ErrNoNamespace, err, gone)
	}
	if err != nil {
		return false, s.explain(doing, err)
	}
	return applied, nil
}

func (s *Store) write(ctx context.Context, w store.Write) (bool, error) {
	at := place{w.Namespace, w.Worker}
	if len(w.Expect) == 1 { // else it may have the other nonce
		if was, ok := s.memory.recall(at, w.Expect[0]); ok {
			if is, ok := s.apply(was, w); ok {
				return s.send(ctx, at, was, is, w)
			}
		}
	}
	before := s.marks.Of(w.Namespace)
	rows, version, err := s.rowsOf(ctx, w.Namespace, w.Worker, w.Worker)
	if err != nil {
		return false, err
	}
	if len(rows) == 0 {
		return false, errNoRow
	}
	if alarm := s.note(w.Namespace, before, version, rows[0].terms.namespace()); alarm != nil {
		return false, alarm
	}
	is, ok := s.apply(rows[0], w)
	if !ok {
		s.memory.begin(at)
		return false, nil
	}
	return s.send(ctx, at, rows[0], is, w)
}

// apply is the row that w leaves of was, by the server's clock (I6).
func (s *Store) apply(was row, w store.Write) (store.Row, bool) {
	if was.terms.Closed != "" {
		return store.Row{}, false
	}
	if now, err := s.api.clock.Now(); err == nil {
		w.Now = now
	}
	return rowtext.Apply(was.terms.namespace(), was.Row, w)
}

// send has the server replace the row, which has this nonce (I3), under these terms (I7).
// The request is sent once.
func (s *Store) send(ctx context.Context, at place, was row, is store.Row, w store.Write) (bool,
	error) {
	before := s.marks.Of(w.Namespace)
	number := s.memory.begin(at)
	ops := []op{
		test(rowPath, was.text), test(termsPath, was.termsText),
		set(rowPath, string(rowtext.Row(is))), set(podPath, s.pod.at(is.Held)),
	}
	left, applied, err := s.patch(ctx, was, append(ops, shown(was, w, is)...)...)
	if applied && (left.version == 0 || left.version >= before.Count) { // else a view shall notice
		s.memory.end(at, number, left)
		s.marks.Note(w.Namespace, before, rollback.At(left.version, left.terms.namespace()))
	}
	return applied, err
}
