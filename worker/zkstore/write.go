package zkstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Write is described at store.Store. It reads the row and the namespace, decides, and
// writes if neither has changed.
func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	doing := fmt.Sprintf("writing worker id %d in %q", w.Worker, w.Namespace)
	var err error
	// The owner's node may come or go with a session between the look and the
	// write, which is then refused as a whole.
	for range 3 {
		var applied bool
		applied, err = s.try(ctx, w)
		if err == nil {
			return applied, nil
		}
		if !errors.Is(err, errOwner) {
			break
		}
	}
	return false, s.explain(doing, err)
}

// errOwner: nothing was written, because of the owner's node.
var errOwner = errors.New("the node of its owner is not as expected")

func (s *Store) try(ctx context.Context, w store.Write) (bool, error) {
	n, nsVersion, err := s.namespace(ctx, w.Namespace)
	if err != nil {
		return false, err
	}
	was, version, err := s.row(ctx, n, w.Worker)
	if errors.Is(err, zk.ErrNoNode) || err == nil && !n.Has(w.Worker) {
		return false, fmt.Errorf("%w: it has no such row: %s", store.ErrNoNamespace, gone)
	}
	if err != nil {
		return false, err
	}
	if now, err := s.clock.Now(); err == nil {
		w.Now = now // not the writer's (I6)
	}
	is, ok := rowtext.Apply(n, was, w)
	if !ok {
		return false, nil
	}
	ops := []any{
		&zk.CheckVersionRequest{Path: s.nsPath(n.Name), Version: nsVersion},
		&zk.SetDataRequest{Path: s.rowPath(n.Name, w.Worker), Data: rowtext.RowIn(is, n.Unit),
			Version: version},
	}
	sign, err := s.sign(ctx, w)
	if err != nil {
		return false, err
	}
	sent := s.clock.Mono()
	done, err := cancelable.Call(ctx,
		func() ([]zk.MultiResponse, error) { return s.conn.Multi(append(ops, sign...)...) })
	switch {
	case err == nil && len(done) > 1 && done[1].Stat != nil: // of the row
		s.noteTime(sent, done[1].Stat)
	case errors.Is(err, zk.ErrBadVersion):
		return false, nil
	case errors.Is(err, zk.ErrNoNode), errors.Is(err, zk.ErrNodeExists):
		return false, fmt.Errorf("%w: %w", errOwner, err)
	}
	return err == nil, err
}

// sign is what a write does to the ephemeral node that shows whose session holds
// the row.
func (s *Store) sign(ctx context.Context, w store.Write) (ops []any, err error) {
	path := s.ownerPath(w.Namespace, w.Worker)
	there, err := cancelable.Call(ctx, func() (*zk.Stat, error) {
		yes, stat, err := s.conn.Exists(path)
		if err != nil || !yes {
			return nil, err
		}
		return stat, nil
	})
	if err != nil {
		return nil, err
	}
	if there != nil {
		mine := there.EphemeralOwner == s.conn.SessionID()
		if mine && !w.Acquire && !w.Release {
			return nil, nil
		}
		ops = append(ops, &zk.DeleteRequest{Path: path, Version: -1})
	}
	if !w.Release {
		ops = append(ops, &zk.CreateRequest{Path: path, Data: []byte(w.Owner), Acl: s.acl,
			Flags: zk.FlagEphemeral})
	}
	return ops, nil
}
