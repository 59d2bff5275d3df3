package etcdstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/record"
)

// most is how many keys a transaction may touch: half of etcd's own default,
// since an if counts too.
const most = 64

// Init is described at worker.Store. Rows come first, the namespace last, so an
// Init that was interrupted has made nothing that serves; doing it again goes on.
func (s *Store) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	doing := "making " + strconv.Quote(n.Name)
	have, err := s.fetch(ctx, n.Name, 0, -1)
	if err == nil {
		return n.Same(have.ns)
	}
	if !errors.Is(err, worker.ErrNoNamespace) {
		return explain(doing, err)
	}
	if err := n.Validate(); err != nil {
		return err
	}
	n.Epoch, n.Floor = "", worker.InitialFloor(n, o, s.now())
	for from := n.First; from <= n.Last; from += most {
		if err := s.makeRows(ctx, n, from, min(n.Last, from+most-1)); err != nil {
			return explain(doing, err)
		}
	}
	made, err := s.create(ctx, s.nsKey(n.Name), record.Namespace(n))
	switch {
	case err != nil:
		return explain(doing, err)
	case made:
		return nil
	}
	if have, err = s.fetch(ctx, n.Name, 0, -1); err != nil { // somebody else was faster
		return explain(doing, err)
	}
	return n.Same(have.ns)
}

// create makes a key unless it is there.
func (s *Store) create(ctx context.Context, key string, text []byte) (made bool, err error) {
	answer, err := s.client.Txn(ctx).If(absent(key)).Then(clientv3.OpPut(key, string(text))).Commit()
	if err != nil {
		return false, err
	}
	return answer.Succeeded, nil
}

func absent(key string) clientv3.Cmp {
	return clientv3.Compare(clientv3.CreateRevision(key), "=", 0)
}

// makeRows makes free rows: all at once, or one by one when some are there, which
// stay as they are.
func (s *Store) makeRows(ctx context.Context, n worker.Namespace, first, last int64) error {
	var none []clientv3.Cmp
	var puts []clientv3.Op
	for id := first; id <= last; id++ {
		key := s.rowKey(n.Name, id)
		none = append(none, absent(key))
		puts = append(puts, clientv3.OpPut(key, string(record.Row(record.Free(n, id, s.now())))))
	}
	answer, err := s.client.Txn(ctx).If(none...).Then(puts...).Commit()
	if err != nil || answer.Succeeded {
		return err
	}
	for _, put := range puts {
		if _, err := s.create(ctx, string(put.KeyBytes()), put.ValueBytes()); err != nil {
			return fmt.Errorf("rows %d to %d: %w", first, last, err)
		}
	}
	return nil
}
