package zkstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/await"
	"github.com/ringuid/ringuid/worker/internal/record"
)

// Init is described at worker.Store. Rows come first, the namespace last, so an
// Init that was interrupted has made nothing that serves; doing it again goes on.
func (s *Store) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	doing := "making " + strconv.Quote(n.Name)
	have, _, err := s.namespace(ctx, n.Name)
	if err == nil {
		return n.Same(have)
	}
	if !errors.Is(err, worker.ErrNoNamespace) {
		return explain(doing, err)
	}
	if err := n.Validate(); err != nil {
		return err
	}
	n.Epoch, n.Floor = "", worker.InitialFloor(n, o, s.now())
	if err := s.makeRows(ctx, n); err != nil {
		return explain(doing, err)
	}
	err = s.create(ctx, s.nsPath(n.Name), record.Namespace(n))
	if errors.Is(err, zk.ErrNodeExists) { // somebody else was faster
		if have, _, err = s.namespace(ctx, n.Name); err == nil {
			return n.Same(have)
		}
	}
	if err != nil {
		return explain(doing, err)
	}
	return nil
}

func (s *Store) create(ctx context.Context, path string, text []byte) error {
	_, err := await.Call(ctx, func() (string, error) { return s.conn.Create(path, text, zk.FlagPersistent, s.acl) })
	return err
}

// makePath makes a node and those above it.
func (s *Store) makePath(ctx context.Context, path string) error {
	for end := 1; end <= len(path); end++ {
		if end < len(path) && path[end] != '/' {
			continue
		}
		if err := s.create(ctx, path[:end], nil); err != nil && !errors.Is(err, zk.ErrNodeExists) {
			return fmt.Errorf("%s: %w", path[:end], err)
		}
	}
	return nil
}

// batch is how many rows one request makes, so that it stays well below the
// megabyte that ZooKeeper takes.
const batch = 500

// makeRows makes the free rows that are not there yet. Those that are, from an
// Init that did not come to its end or runs at this moment, stay as they are.
func (s *Store) makeRows(ctx context.Context, n worker.Namespace) error {
	for _, path := range []string{s.rowsPath(n.Name), s.ownersPath(n.Name)} {
		if err := s.makePath(ctx, path); err != nil {
			return err
		}
	}
	for {
		missing, err := s.missing(ctx, n)
		if err != nil {
			return err
		}
		for ids := range slices.Chunk(missing, batch) {
			if err = s.makeThese(ctx, n, ids); err != nil {
				break
			}
		}
		if !errors.Is(err, zk.ErrNodeExists) { // else somebody made one of them: look again
			return err
		}
	}
}

func (s *Store) makeThese(ctx context.Context, n worker.Namespace, ids []int64) error {
	var ops []any
	for _, id := range ids {
		text := record.Row(record.Free(n, id, s.now()))
		ops = append(ops, &zk.CreateRequest{Path: s.rowPath(n.Name, id), Data: text, Acl: s.acl})
	}
	_, err := await.Call(ctx, func() (any, error) { return s.conn.Multi(ops...) })
	return err
}

// missing are the worker ids that have no row.
func (s *Store) missing(ctx context.Context, n worker.Namespace) (ids []int64, err error) {
	names, err := await.Call(ctx, func() ([]string, error) {
		names, _, err := s.conn.Children(s.rowsPath(n.Name))
		return names, err
	})
	if err != nil {
		return nil, err
	}
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
	}
	for id := n.First; id <= n.Last; id++ {
		if !there[strconv.FormatInt(id, 10)] {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
