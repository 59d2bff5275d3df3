package etcdstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker/store"
)

// Check is described at store.Store. It returns Fenced. A cluster of one member
// has to be of a version that writes to disk before it acknowledges.
func (s *Store) Check(ctx context.Context) (store.Class, error) {
	const doing = "asking for the cluster"
	s.clock.Expire() // whoever begins shall not go by what was read long ago
	// A read that a majority has to confirm; the list alone may come from a member
	// that is cut off.
	if _, err := s.client.Get(ctx, s.prefix+"/", clientv3.WithKeysOnly(), clientv3.WithLimit(1)); err != nil {
		return store.Unfenced, explain(doing, err)
	}
	list, err := s.client.MemberList(ctx)
	if err != nil {
		return store.Unfenced, explain(doing, err)
	}
	if len(list.Members) > 1 {
		return store.Fenced, nil
	}
	status, err := s.client.Status(ctx, s.client.Endpoints()[0])
	if err != nil {
		return store.Unfenced, explain(doing, err)
	}
	if forgets(status.Version) {
		return store.Unfenced, fmt.Errorf("etcdstore: %w: a single etcd %s may forget what it acknowledged (etcd issue 14370): "+
			"run three members, or a version from 3.4.21 or 3.5.5", store.ErrStore, status.Version)
	}
	return store.Fenced, nil
}

// forgets: alone, this version acknowledges before its log is on disk. It was
// mended in 3.4.21 and 3.5.5 and never in older lines:
// https://github.com/etcd-io/etcd/issues/14370
func forgets(version string) bool {
	version, _, _ = strings.Cut(version, "-") // of a pre-release
	var numbers []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return false // not a version that could be older
		}
		numbers = append(numbers, n)
	}
	below := func(mended ...int) bool { return slices.Compare(numbers, mended) < 0 }
	return below(3, 4, 21) || !below(3, 5) && below(3, 5, 5)
}
