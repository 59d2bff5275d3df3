package redisstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"

	"github.com/ringuid/ringuid/worker"
)

// Init is described at worker.Store. Rows come first, the namespace last, so an
// Init that was interrupted has made nothing that serves; doing it again goes on.
func (s *Store) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	have, err := s.view(ctx, n.Name, 0, -1)
	if !errors.Is(err, worker.ErrNoNamespace) {
		return same(n, have, err)
	}
	if err := n.Validate(); err != nil {
		return err
	}
	if n.Window > exact/2 {
		return fmt.Errorf("%w: a window of %d ticks: want %d at most", worker.ErrClaim, n.Window, int64(exact/2))
	}
	n.Floor = worker.InitialFloor(n, o, have.Now)
	for from := n.First; from <= n.Last; from += batch {
		if err := s.makeRows(ctx, n, from, min(n.Last, from+batch-1)); err != nil {
			return err
		}
	}
	answer, err := s.write(ctx, namespaceScript, []string{s.nsKey(n.Name)},
		[]any{have.Server, n.Fingerprint, n.Unit.Milliseconds(), n.First, n.Last, n.Window, n.Floor})
	switch {
	case err != nil:
		return s.explain("making "+strconv.Quote(n.Name), err)
	case answer < 0:
		return fmt.Errorf("redisstore: making %q: the server was replaced meanwhile: do it again", n.Name)
	case answer == 0: // somebody else was faster
		have, err = s.view(ctx, n.Name, 0, -1)
		return same(n, have, err)
	}
	return nil
}

// same is nil when the namespace that is there is the one that was to be made.
func same(n worker.Namespace, have worker.View, err error) error {
	if err != nil {
		return err
	}
	return n.Same(have.Namespace)
}

// makeRows makes the free rows that are not there yet.
func (s *Store) makeRows(ctx context.Context, n worker.Namespace, first, last int64) error {
	var keys []string
	args := []any{n.Floor - 1}
	for id := first; id <= last; id++ {
		var nonce worker.Nonce
		rand.Read(nonce[:])
		keys, args = append(keys, s.rowKey(n.Name, id)), append(args, nonce.String())
	}
	if _, err := s.write(ctx, rowsScript, keys, args); err != nil {
		return s.explain(fmt.Sprintf("making rows %d to %d of %q", first, last, n.Name), err)
	}
	return nil
}
