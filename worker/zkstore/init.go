package zkstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Init is described at store.Store. It writes rows first, the namespace last, so an
// interrupted Init leaves nothing that can be used; run it again to continue.
func (s *Store) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
	if err := store.Init(ctx, catalog{s}, n, o); err != nil {
		return s.explain("making "+strconv.Quote(n.Name), err)
	}
	return nil
}

// catalog is the store.Catalog of a Store.
type catalog struct{ *Store }

func (c catalog) Clock(ctx context.Context) (time.Time, bool, error) {
	path := c.root + "/~space" // of the records
	if err := c.makePath(ctx, path); err != nil {
		return c.now(), false, err
	}
	c.clock.Expire()
	c.readClock(ctx, path)
	now, unknown := c.clock.Now()
	return now, unknown == nil, ctx.Err()
}

func (c catalog) Namespace(ctx context.Context, name string) (store.Namespace, error) {
	if err := c.sync(ctx, c.nsPath(name)); err != nil {
		return store.Namespace{}, err
	}
	n, _, err := c.namespace(ctx, name)
	if errors.Is(err, store.ErrNoNamespace) {
		return store.Namespace{}, nil
	}
	return n, err
}

func (c catalog) Namespaces(ctx context.Context) (all []store.Namespace, err error) {
	if err := c.sync(ctx, cmp.Or(c.root, "/")); err != nil { // once for all of them
		return nil, err
	}
	names, err := c.children(ctx, c.root+"/")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		n, _, err := c.namespace(ctx, name)
		if errors.Is(err, store.ErrNoNamespace) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// spacePath is that of a layout's record. No namespace has a tilde in its name.
func (s *Store) spacePath(fingerprint string) string {
	return s.root + "/~space/" + url.PathEscape(fingerprint)
}

func (c catalog) Space(ctx context.Context, fingerprint string) (string, error) {
	text, _, err := c.space(ctx, fingerprint)
	return text, err
}

func (c catalog) space(ctx context.Context, fingerprint string) (string, int32, error) {
	path := c.spacePath(fingerprint)
	if err := c.sync(ctx, path); err != nil {
		return "", 0, err
	}
	text, stat, err := c.get(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	return string(text), stat.Version, nil
}

func (c catalog) ReplaceSpace(ctx context.Context, fingerprint, old, text string) (bool, error) {
	is, version, err := c.space(ctx, fingerprint)
	if err != nil || is != old {
		return false, err
	}
	if old == "" {
		if err := c.makePath(ctx, c.root+"/~space"); err != nil {
			return false, err
		}
		return unless(zk.ErrNodeExists, c.create(ctx, c.spacePath(fingerprint), []byte(text)))
	}
	return c.set(ctx, c.spacePath(fingerprint), []byte(text), version)
}

func (catalog) HighestKey(context.Context) (int64, error) { return 0, nil }

func (c catalog) Make(ctx context.Context, n, have store.Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	for _, path := range []string{c.rowsPath(n.Name), c.ownersPath(n.Name)} {
		if err := c.makePath(ctx, path); err != nil {
			return false, err
		}
	}
	if err := c.sync(ctx, c.rowsPath(n.Name)); err != nil {
		return false, err
	}
	is, version, err := c.namespace(ctx, n.Name)
	if err != nil && !errors.Is(err, store.ErrNoNamespace) || is != have {
		return false, err
	}
	missing, err := c.missing(ctx, n)
	if err != nil {
		return false, err
	}
	n.Floor = have.Floor
	if len(missing) == 0 && n == have {
		return true, nil
	}
	now := c.now()
	begin := max(floor(now), have.Floor)
	if n != have {
		left, err := c.rows(ctx, n, n.First, n.Last)
		if err != nil {
			return false, err
		}
		for _, row := range left {
			if begin, err = namespaces.Above(begin, n, have, row.Worker, row.High, now); err != nil {
				return false, err
			}
		}
	}
	if have.Name == "" {
		n.Floor = begin
	}
	still, err := c.claim(ctx, n.Fingerprint, space)
	if err != nil || still == nil {
		return false, err
	}
	for ids := range slices.Chunk(missing, batch) {
		if err := c.makeRows(ctx, n, ids, begin-1, now, still); err != nil {
			return false, changed(err)
		}
	}
	if n == have {
		return true, nil
	}
	var write any = &zk.SetDataRequest{Path: c.nsPath(n.Name), Data: rowtext.Namespace(n),
		Version: version}
	if have.Name == "" {
		write = &zk.CreateRequest{Path: c.nsPath(n.Name), Data: rowtext.Namespace(n), Acl: c.acl}
	}
	err = c.multi(ctx, still, write)
	return err == nil, changed(err)
}

// changed is nil for an error that says that somebody else was faster.
func changed(err error) error {
	if errors.Is(err, zk.ErrNodeExists) || errors.Is(err, zk.ErrBadVersion) {
		return nil
	}
	return err
}

// unless says whether something was done, when it is not for this error.
func unless(not, err error) (bool, error) {
	if errors.Is(err, not) {
		return false, nil
	}
	return err == nil, err
}

func (s *Store) create(ctx context.Context, path string, text []byte) error {
	_, err := cancelable.Call(ctx,
		func() (string, error) { return s.conn.Create(path, text, zk.FlagPersistent, s.acl) })
	return err
}

// set writes a node, if it still has this version.
func (s *Store) set(ctx context.Context, path string, text []byte, version int32) (bool, error) {
	_, err := cancelable.Call(ctx, func() (*zk.Stat, error) { return s.conn.Set(path, text, version) })
	return unless(zk.ErrBadVersion, err)
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

// claim counts a change of the record, if that is still space, and returns the condition that
// nobody else has since: an Init that found the same rows missing begins again.
func (c catalog) claim(ctx context.Context, fingerprint, space string) (*zk.CheckVersionRequest,
	error) {
	claimed, sole, err := namespaces.Claim(ctx, c, fingerprint, space)
	if err != nil || !sole {
		return nil, err
	}
	text, version, err := c.space(ctx, fingerprint)
	if err != nil || text != claimed {
		return nil, err
	}
	return &zk.CheckVersionRequest{Path: c.spacePath(fingerprint), Version: version}, nil
}

// makeRows makes rows, all or none: none when the record is no more what it was.
func (s *Store) makeRows(ctx context.Context, n store.Namespace, ids []int64, high int64,
	now time.Time, still *zk.CheckVersionRequest) error {
	ops := []any{still}
	for _, id := range ids {
		text := rowtext.RowIn(rowtext.Free(id, high, now), n.Unit)
		ops = append(ops, &zk.CreateRequest{Path: s.rowPath(n.Name, id), Data: text, Acl: s.acl})
	}
	return s.multi(ctx, ops...)
}

// multi does all of this, or nothing.
func (s *Store) multi(ctx context.Context, ops ...any) error {
	_, err := cancelable.Call(ctx, func() (any, error) { return s.conn.Multi(ops...) })
	return err
}

// missing are the worker ids that have no row.
func (s *Store) missing(ctx context.Context, n store.Namespace) (ids []int64, err error) {
	names, err := s.children(ctx, s.rowsPath(n.Name)+"/")
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

// children are the names below a path that ends with a slash; none where it is not
// there.
func (s *Store) children(ctx context.Context, path string) ([]string, error) {
	if len(path) > 1 {
		path = path[:len(path)-1]
	}
	names, err := cancelable.Call(ctx, func() ([]string, error) {
		names, _, err := s.conn.Children(path)
		return names, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	return names, err
}
