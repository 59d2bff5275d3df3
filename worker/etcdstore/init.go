package etcdstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Init is described at store.Store. It writes rows first, the namespace last, so an
// interrupted Init leaves nothing that can be used; run it again to continue.
func (s *Store) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
	if err := store.Init(ctx, catalog{s}, n, o); err != nil {
		return explain("making "+strconv.Quote(n.Name), err)
	}
	return nil
}

// catalog is the store.Catalog of a Store.
type catalog struct{ *Store }

func (c catalog) Clock(ctx context.Context) (time.Time, bool, error) {
	c.clock.Expire()
	c.readClock(ctx)
	now, unknown := c.clock.Now()
	return now, unknown == nil, ctx.Err()
}

func (c catalog) Namespace(ctx context.Context, name string) (store.Namespace, error) {
	p, err := c.fetch(ctx, name, 0, -1)
	if errors.Is(err, store.ErrNoNamespace) {
		return store.Namespace{}, nil
	}
	return p.ns, err
}

func (c catalog) Namespaces(ctx context.Context) (all []store.Namespace, err error) {
	answer, err := c.client.Get(ctx, c.prefix+"/", clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		return nil, err
	}
	for _, kv := range answer.Kvs {
		name, is := strings.CutSuffix(strings.TrimPrefix(string(kv.Key), c.prefix+"/"), "/namespace")
		if !is || strings.Contains(name, "/") {
			continue
		}
		n, err := c.Namespace(ctx, name)
		if err != nil {
			return nil, err
		}
		if n.Name != "" {
			all = append(all, n)
		}
	}
	return all, nil
}

// spaceKey is that of a layout's record. No namespace has a tilde in its name.
func (s *Store) spaceKey(fingerprint string) string {
	return s.prefix + "/~space/" + url.PathEscape(fingerprint)
}

func (c catalog) Space(ctx context.Context, fingerprint string) (string, error) {
	answer, err := c.client.Get(ctx, c.spaceKey(fingerprint))
	if err != nil || len(answer.Kvs) == 0 {
		return "", err
	}
	return string(answer.Kvs[0].Value), nil
}

func (c catalog) ReplaceSpace(ctx context.Context, fingerprint, old, text string) (bool, error) {
	key := c.spaceKey(fingerprint)
	still := absent(key)
	if old != "" {
		still = clientv3.Compare(clientv3.Value(key), "=", old)
	}
	return c.put(ctx, key, []byte(text), still)
}

func (catalog) HighestKey(context.Context) (int64, error) { return 0, nil }

func (c catalog) Make(ctx context.Context, n, have store.Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	highs, p, err := c.highs(ctx, n)
	if err != nil || p.ns != have {
		return false, err
	}
	now := c.now()
	begin := max(floor(now), have.Floor)
	n.Floor = have.Floor
	for id, high := range highs {
		if begin, err = namespaces.Above(begin, n, have, id, high, now); err != nil {
			return false, err
		}
	}
	still := p.key.unchanged()
	if have.Name == "" {
		n.Floor, still = begin, []clientv3.Cmp{absent(c.nsKey(n.Name))}
	}
	if n == have && int64(len(highs)) == n.Last-n.First+1 {
		return true, nil
	}
	claimed, sole, err := namespaces.Claim(ctx, c, n.Fingerprint, space)
	if err != nil || !sole {
		return false, err
	}
	still = append(still, clientv3.Compare(clientv3.Value(c.spaceKey(n.Fingerprint)), "=", claimed))
	made, err := c.makeRows(ctx, n, highs, begin-1, now, still)
	if err != nil || !made || n == have {
		return made, err
	}
	return c.put(ctx, c.nsKey(n.Name), rowtext.Namespace(n), still...)
}

// highs are the rows that are there of the worker ids of n, and the namespace as
// it is stored.
func (c catalog) highs(ctx context.Context, n store.Namespace) (highs map[int64]int64, p page,
	err error) {
	highs = map[int64]int64{}
	for from, more := n.First, true; more; {
		p, err = c.fetch(ctx, n.Name, from, n.Last)
		if err != nil && !errors.Is(err, store.ErrNoNamespace) {
			return nil, p, err
		}
		for _, row := range p.rows {
			highs[row.Worker] = row.High
			from = row.Worker + 1
		}
		more = p.more
	}
	return highs, p, nil
}

// put writes a key, if all of this still holds.
func (s *Store) put(ctx context.Context, key string, text []byte, still ...clientv3.Cmp) (bool,
	error) {
	answer, err := s.client.Txn(ctx).If(still...).Then(clientv3.OpPut(key, string(text))).Commit()
	if err != nil {
		return false, err
	}
	return answer.Succeeded, nil
}

func absent(key string) clientv3.Cmp {
	return clientv3.Compare(clientv3.CreateRevision(key), "=", 0)
}

// most is how many rows one transaction makes: it compares as many keys, and three more, all
// of which together etcd counts at most 128 by default.
const most = 60

// makeRows makes the rows that are not there, if all of this still holds: many at once, or
// one by one when somebody makes them too, and whose come first stay as they are.
func (s *Store) makeRows(ctx context.Context, n store.Namespace, there map[int64]int64, high int64,
	now time.Time, still []clientv3.Cmp) (bool, error) {
	var none []clientv3.Cmp
	var puts []clientv3.Op
	for id := n.First; id <= n.Last; id++ {
		if _, ok := there[id]; !ok {
			key := s.rowKey(n.Name, id)
			none = append(none, absent(key))
			puts = append(puts, clientv3.OpPut(key, string(rowtext.Row(rowtext.Free(id, high, now)))))
		}
		if len(puts) == most || id == n.Last && len(puts) > 0 {
			if made, err := s.putAbsent(ctx, none, puts, still); err != nil {
				return false, fmt.Errorf("rows up to %d: %w", id, err)
			} else if !made {
				return false, nil
			}
			none, puts = nil, nil
		}
	}
	return true, nil
}

// putAbsent is false when not all of still holds any more.
func (s *Store) putAbsent(ctx context.Context, none []clientv3.Cmp, puts []clientv3.Op,
	still []clientv3.Cmp) (bool, error) {
	answer, err := s.client.Txn(ctx).If(slices.Concat(still, none)...).Then(puts...).Commit()
	if err != nil || answer.Succeeded {
		return err == nil, err
	}
	for i, put := range puts {
		answer, err := s.client.Txn(ctx).If(slices.Concat(still, none[i:i+1])...).
			Then(put).Else(clientv3.OpGet(string(put.KeyBytes()))).Commit()
		if err != nil {
			return false, err
		}
		if !answer.Succeeded && len(answer.Responses[0].GetResponseRange().Kvs) == 0 {
			return false, nil // so it is not there, and something else has changed
		}
	}
	return true, nil
}
