package etcdstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker/store"
)

// Check returns Fenced. The single member of a cluster of one must be of a version that writes
// to disk before it acknowledges.
func (e *etcd) Check(ctx context.Context) (store.Class, error) {
	// A read that a majority has to confirm; the list of members may come from one that is cut
	// off.
	if _, err := e.client.Get(ctx, e.place, clientv3.WithKeysOnly()); err != nil {
		return store.Unfenced, err
	}
	version, err := e.singleVersion(ctx)
	if err == nil && forgets(version) {
		err = fmt.Errorf("%w: a single etcd %s may lose acknowledged writes (etcd issue 14370): run "+
			"three members, or a version from 3.4.21 or 3.5.5", store.ErrStore, version)
	}
	return store.Fenced, err
}

// singleVersion is the version of a cluster's only member. It is empty of a cluster of
// more, and of one that tells its version to the user root alone: that is a version from
// 3.4.42, 3.5.28 or 3.6.9, where CVE-2026-33413 was mended, and none that forgets.
func (e *etcd) singleVersion(ctx context.Context) (string, error) {
	list, err := e.client.MemberList(ctx)
	if err == nil && len(list.Members) == 1 {
		var status *clientv3.StatusResponse
		if status, err = e.client.Status(ctx, e.client.Endpoints()[0]); err == nil {
			return status.Version, nil
		}
	}
	if errors.Is(err, rpctypes.ErrPermissionDenied) {
		err = nil
	}
	return "", err
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
