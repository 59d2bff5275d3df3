package etcdstore

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where the keys are.
type Options struct {
	// Prefix of all keys. Processes that use the same layout and the same prefix share worker ids.
	// Empty: "/ringuid".
	Prefix string

	// TLS is the client's configuration, used to ask members for the time over HTTP. Nil:
	// TLS only where the client's addresses begin with https.
	TLS *tls.Config
}

// New returns a store on a cluster, whose methods may be called from any goroutine. The caller
// keeps the client, and closes it. Without a client, Check returns an error.
func New(client *clientv3.Client, o Options) store.Store {
	const rowsPerSecond = 200
	e := &etcd{
		client: client,
		place:  strings.TrimSuffix(cmp.Or(o.Prefix, "/ringuid"), "/") + "/rows/",
		// for one request every half minute
		http:   &http.Client{Transport: &http.Transport{TLSClientConfig: o.TLS, DisableKeepAlives: true}},
		scheme: "http",
	}
	if o.TLS != nil {
		e.scheme = "https"
	}
	return textstore.New("etcdstore", rowsPerSecond, e, clock.Real())
}

// etcd is a cluster as a textstore.Server.
type etcd struct {
	client *clientv3.Client
	place  string // what all keys begin with
	http   *http.Client
	scheme string // of members whose addresses have none

	cluster atomic.Uint64 // that answered last
}

// only returns an error if the last answer came from another cluster.
func (e *etcd) only(h *etcdserverpb.ResponseHeader) error {
	id := h.GetClusterId()
	last := e.cluster.Swap(id)
	if last == id || last == 0 || id == 0 {
		return nil
	}
	return fmt.Errorf("%w: the answers are of two clusters, %x and %x: give the client the addresses "+
		"of one; if a backup was restored as a new cluster, this comes once", store.ErrStore, last, id)
}

// get reads keys, of one cluster.
func (e *etcd) get(ctx context.Context, key string, o ...clientv3.OpOption) (*clientv3.GetResponse,
	error) {
	answer, err := e.client.Get(ctx, key, o...)
	if err == nil {
		err = e.only(answer.Header)
	}
	return answer, err
}

func (e *etcd) key(k textstore.Key) string { return e.place + k.Path() }

// List reads all keys at one moment. A majority confirms it.
func (e *etcd) List(ctx context.Context, _ string) (all []textstore.Entry, err error) {
	answer, err := e.get(ctx, e.place, clientv3.WithPrefix())
	if err != nil {
		return nil, err
	}
	for _, kv := range answer.Kvs {
		k, err := textstore.ParsePath(e.place, strings.TrimPrefix(string(kv.Key), e.place))
		if err != nil {
			return nil, err
		}
		all = append(all, textstore.Entry{Key: k, Text: string(kv.Value)})
	}
	return all, nil
}

func (e *etcd) Get(ctx context.Context, k textstore.Key) (string, error) {
	answer, err := e.get(ctx, e.key(k))
	if err != nil || len(answer.Kvs) == 0 {
		return "", err
	}
	return string(answer.Kvs[0].Value), nil
}

func (e *etcd) Create(ctx context.Context, k textstore.Key, text string) (bool, error) {
	return e.put(ctx, k, text, clientv3.Compare(clientv3.CreateRevision(e.key(k)), "=", 0))
}

// CompareAndSet compares the value, since revisions recur after a backup is restored.
func (e *etcd) CompareAndSet(ctx context.Context, k textstore.Key, old, text string) (bool, error) {
	return e.put(ctx, k, text, clientv3.Compare(clientv3.Value(e.key(k)), "=", old))
}

func (e *etcd) put(ctx context.Context, k textstore.Key, text string, when clientv3.Cmp) (bool,
	error) {
	answer, err := e.client.Txn(ctx).If(when).Then(clientv3.OpPut(e.key(k), text)).Commit()
	if err == nil {
		err = e.only(answer.Header)
	}
	return err == nil && answer.Succeeded, sent(err)
}

func (e *etcd) DeleteAll(ctx context.Context, layout string) error {
	prefix := e.place
	if layout != "" {
		prefix += url.PathEscape(layout) + "/"
	}
	_, err := e.client.Delete(ctx, prefix, clientv3.WithPrefix())
	return sent(err)
}

// sent returns the error of a write that was sent. A server that answers that it is unavailable
// may have done the write.
func sent(err error) error {
	unavailable := rpctypes.ErrTimeout.(rpctypes.EtcdError).Code()
	answer, answered := errors.AsType[rpctypes.EtcdError](err)
	if err == nil || answered && answer.Code() != unavailable {
		return err
	}
	return textstore.Unanswered(err)
}
