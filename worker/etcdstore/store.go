package etcdstore

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/rollback"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/internal/storeclock"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where a Store keeps its keys.
type Options struct {
	// Prefix of all keys. Empty: "/ringuid".
	Prefix string

	// TLS is the client's configuration, used to ask members for the time over HTTP. Nil:
	// TLS only where the client's addresses begin with https.
	TLS *tls.Config

	// Dial makes these connections. Nil: those of package net.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Store is a store.Store on etcd. Its methods may be called from any goroutine.
type Store struct {
	client *clientv3.Client
	prefix string
	memory rollback.Memory
	http   *http.Client
	tls    bool // for members whose addresses do not say
	clock  *storeclock.Clock
}

// New returns a store on a cluster. The caller keeps the client, and closes it.
func New(client *clientv3.Client, o Options) *Store {
	return &Store{
		client: client,
		prefix: strings.TrimSuffix(cmp.Or(o.Prefix, "/ringuid"), "/"),
		// once a minute
		http: &http.Client{Transport: &http.Transport{DialContext: o.Dial, TLSClientConfig: o.TLS,
			DisableKeepAlives: true}},
		tls:   o.TLS != nil,
		clock: storeclock.New(clock.Real()),
	}
}

func (s *Store) nsKey(name string) string { return s.prefix + "/" + name + "/namespace" }

// rowsKey is what the keys of all rows begin with.
func (s *Store) rowsKey(name string) string { return s.prefix + "/" + name + "/rows/" }

// rowKey has as many digits for each worker id, so that their keys sort like them.
func (s *Store) rowKey(name string, id int64) string {
	return fmt.Sprintf("%s%019d", s.rowsKey(name), id)
}

// Write is described at store.Store. It reads the row and the namespace, decides, and
// writes if neither has changed.
func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	doing := fmt.Sprintf("writing worker id %d in %q", w.Worker, w.Namespace)
	p, err := s.read(ctx, w.Namespace, w.Worker, w.Worker)
	if err != nil {
		return false, explain(doing, err)
	}
	if len(p.rows) == 0 || !p.ns.Has(w.Worker) {
		return false, fmt.Errorf("etcdstore: %s: %w: it has no such row: %s", doing, store.ErrNoNamespace,
			gone)
	}
	was := p.rows[0]
	if now, err := s.clock.Now(); err == nil {
		w.Now = now // not the writer's (I6)
	}
	is, ok := rowtext.Apply(p.ns, was.Row, w)
	if !ok {
		return false, nil
	}
	answer, err := s.client.Txn(ctx).
		If(append(was.key.unchanged(), p.key.unchanged()...)...).
		Then(clientv3.OpPut(was.key.key, string(rowtext.Row(is)))).Commit()
	if err != nil {
		return false, explain(doing, err)
	}
	return answer.Succeeded, nil
}

// Raise is described at store.Store. It does nothing: etcd keeps what it
// acknowledged, and its views show no other server.
func (s *Store) Raise(ctx context.Context, _ store.Raise) (bool, error) {
	return false, context.Cause(ctx)
}

// Quarantine is described at store.Store. It also makes a Store serve again that has
// noticed a restored backup; leases do so by themselves.
func (s *Store) Quarantine(ctx context.Context, namespace string, floor int64) error {
	doing := "raising the floor of " + strconv.Quote(namespace)
	for ctx.Err() == nil {
		p, err := s.fetch(ctx, namespace, 0, -1)
		if err != nil {
			return explain(doing, err)
		}
		if floor <= p.ns.Floor {
			return nil
		}
		p.ns.Floor = floor
		answer, err := s.client.Txn(ctx).If(p.key.unchanged()...).
			Then(clientv3.OpPut(p.key.key, string(rowtext.Namespace(p.ns)))).Commit()
		if err != nil {
			return explain(doing, err)
		}
		if answer.Succeeded {
			return nil
		}
	}
	return explain(doing, context.Cause(ctx))
}
