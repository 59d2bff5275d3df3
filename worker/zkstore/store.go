package zkstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/internal/storeclock"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where a Store keeps its nodes, and who may change them.
type Options struct {
	// Root is the path above all namespaces. Init creates it. Empty: "/ringuid".
	Root string

	// ACL of the nodes that Init and Write create. Nil: anybody may do anything.
	ACL []zk.ACL
}

// Store is a store.Store on ZooKeeper. Its methods may be called from any
// goroutine.
type Store struct {
	conn *zk.Conn
	root string
	acl  []zk.ACL

	clock *storeclock.Clock
}

// New returns a store on an ensemble. The caller keeps the connection, and closes it.
func New(conn *zk.Conn, o Options) *Store {
	s := &Store{conn: conn, root: "/" + strings.Trim(cmp.Or(o.Root, "/ringuid"), "/"), acl: o.ACL,
		clock: storeclock.New(clock.Real())}
	if s.acl == nil {
		s.acl = zk.WorldACL(zk.PermAll)
	}
	if s.root == "/" { // of a connection with a root of its own
		s.root = ""
	}
	return s
}

func (s *Store) nsPath(name string) string     { return s.root + "/" + name + "/namespace" }
func (s *Store) rowsPath(name string) string   { return s.root + "/" + name + "/rows" }
func (s *Store) ownersPath(name string) string { return s.root + "/" + name + "/owners" }

func (s *Store) rowPath(name string, id int64) string {
	return s.rowsPath(name) + "/" + strconv.FormatInt(id, 10)
}

func (s *Store) ownerPath(name string, id int64) string {
	return s.ownersPath(name) + "/" + strconv.FormatInt(id, 10)
}

// Check is described at store.Store. It returns Fenced. The package's documentation lists
// the settings that this rests on, which a client cannot read.
func (s *Store) Check(ctx context.Context) (store.Class, error) {
	s.clock.Expire() // whoever begins shall not go by what was read long ago
	if _, err := cancelable.Call(ctx, func() (bool, error) {
		there, _, err := s.conn.Exists(cmp.Or(s.root, "/"))
		return there, err
	}); err != nil {
		return store.Unfenced, s.explain("asking for "+cmp.Or(s.root, "/"), err)
	}
	return store.Fenced, nil
}

// Raise is described at store.Store. It does nothing: ZooKeeper keeps what it
// acknowledged, and its views show no other server.
func (s *Store) Raise(ctx context.Context, _ store.Raise) (bool, error) {
	return false, context.Cause(ctx)
}

// Quarantine is described at store.Store.
func (s *Store) Quarantine(ctx context.Context, namespace string, floor int64) error {
	doing := "raising the floor of " + strconv.Quote(namespace)
	for {
		n, version, err := s.namespace(ctx, namespace)
		if err != nil {
			return s.explain(doing, err)
		}
		if floor <= n.Floor {
			return nil
		}
		n.Floor = floor
		_, err = cancelable.Call(ctx, func() (*zk.Stat, error) {
			return s.conn.Set(s.nsPath(namespace), rowtext.Namespace(n), version)
		})
		if err == nil {
			return nil
		}
		if !errors.Is(err, zk.ErrBadVersion) {
			return s.explain(doing, err)
		}
	}
}

// namespace reads the namespace and its version.
func (s *Store) namespace(ctx context.Context, name string) (store.Namespace, int32, error) {
	text, stat, err := s.get(ctx, s.nsPath(name))
	if errors.Is(err, zk.ErrNoNode) {
		err = fmt.Errorf("%w: %q: %s", store.ErrNoNamespace, name, gone)
	}
	if err != nil {
		return store.Namespace{}, 0, err
	}
	n, err := rowtext.ParseNamespace(name, text)
	return n, stat.Version, err
}

const gone = "create it with `uidbench worker init` or Store.Init; if it existed, find out who " +
	"deleted it"

// get is Get with a context.
func (s *Store) get(ctx context.Context, path string) ([]byte, *zk.Stat, error) {
	type node struct {
		data []byte
		stat *zk.Stat
	}
	n, err := cancelable.Call(ctx, func() (node, error) {
		data, stat, err := s.conn.Get(path)
		return node{data, stat}, err
	})
	return n.data, n.stat, err
}
