package etcdstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker/internal/rollback"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// page is a namespace and some of its rows at one revision of the store.
type page struct {
	ns   store.Namespace
	key  stored // ns as it is stored
	rows []row
	more bool // there are rows behind the last one
	at   int64
}

type row struct {
	store.Row
	key stored
}

// stored is a key as it was read.
type stored struct {
	key, text string
	revision  int64 // of its last change; 0 when it is not there
}

// unchanged holds while a key is what was read. The revision would do, but for a
// backup restored meanwhile, after which revisions come a second time.
func (k stored) unchanged() []clientv3.Cmp {
	return []clientv3.Cmp{
		clientv3.Compare(clientv3.ModRevision(k.key), "=", k.revision),
		clientv3.Compare(clientv3.Value(k.key), "=", k.text),
	}
}

// batch is how many rows are asked for at once, so that an answer stays well
// below a megabyte or two.
const batch = 4096

// View is described at store.Store. Now is a member's clock.
func (s *Store) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	doing := "reading " + strconv.Quote(namespace)
	s.readClock(ctx)
	var v store.View
	v.Now, v.Clock = s.clock.Now()
	for from, more := first, true; more; {
		p, err := s.read(ctx, namespace, from, last)
		if err != nil && !errors.Is(err, store.ErrRolledBack) {
			return store.View{}, explain(doing, err)
		}
		if from == first {
			v.Namespace = p.ns // the oldest: a write compares it with the row's
		}
		for _, row := range p.rows {
			if p.ns.Has(row.Worker) {
				v.Rows = append(v.Rows, row.Row)
			}
			from = row.Worker + 1
		}
		if err != nil {
			return v, explain(doing, err)
		}
		more = p.more
	}
	return v, nil
}

// read is fetch, with an error for a store that went back in time, whose revision
// decreased. The floor is then the highest that was seen.
func (s *Store) read(ctx context.Context, namespace string, first, last int64) (page, error) {
	before := s.memory.Of(namespace)
	p, err := s.fetch(ctx, namespace, first, last)
	if p.at == 0 {
		return p, err // no answer
	}
	if alarm := s.memory.Note(namespace, before, rollback.At(p.at, p.ns)); alarm != nil {
		p.ns.Floor = before.Raise(p.ns)
		return p, alarm
	}
	return p, err
}

// fetch asks for the namespace and a batch of rows in one transaction. It is
// linearizable: it shows all that was acknowledged before. The rows come with the
// error that there is no namespace.
func (s *Store) fetch(ctx context.Context, namespace string, first, last int64) (page, error) {
	ops := []clientv3.Op{clientv3.OpGet(s.nsKey(namespace))}
	if first = max(first, 0); first <= last {
		ops = append(ops, clientv3.OpGet(s.rowKey(namespace, first),
			clientv3.WithRange(s.rowKey(namespace, last)+"\x00"), clientv3.WithLimit(batch)))
	}
	answer, err := s.client.Txn(ctx).Then(ops...).Commit()
	if err != nil {
		return page{}, err
	}
	p := page{at: answer.Header.Revision}
	var none error
	if kvs := answer.Responses[0].GetResponseRange().Kvs; len(kvs) == 0 {
		none = fmt.Errorf("%w: %q: %s", store.ErrNoNamespace, namespace, gone)
	} else {
		p.key = stored{s.nsKey(namespace), string(kvs[0].Value), kvs[0].ModRevision}
		if p.ns, err = rowtext.ParseNamespace(namespace, kvs[0].Value); err != nil {
			return p, err
		}
	}
	if len(answer.Responses) > 1 {
		rows := (*clientv3.GetResponse)(answer.Responses[1].GetResponseRange())
		p.more = rows.More
		if p.rows, err = parseRows(rows); err != nil {
			return p, err
		}
	}
	return p, none
}

func parseRows(answer *clientv3.GetResponse) (rows []row, err error) {
	for _, kv := range answer.Kvs {
		key := string(kv.Key)
		id, err := strconv.ParseInt(key[strings.LastIndexByte(key, '/')+1:], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: the key %q is no worker id's: delete it", store.ErrStore, key)
		}
		r, err := rowtext.ParseRow(id, kv.Value)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{r, stored{key, string(kv.Value), kv.ModRevision}})
	}
	return rows, nil
}

const gone = "create it with `uidbench worker init` or Store.Init; if it existed, find out who " +
	"deleted it"
