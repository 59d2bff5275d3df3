package etcdstore

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
)

// advice is what to do about the errors that a server sends.
var advice = []struct {
	err error
	do  string
}{
	{rpctypes.ErrAuthFailed, "check user and password"},
	{rpctypes.ErrUserEmpty,
		"the cluster requires a user and a password: configure them in the client"},
	{rpctypes.ErrInvalidAuthToken,
		"the cluster no longer knows this client's login: the client logs in again"},
	{rpctypes.ErrPermissionDenied,
		"the user's role must be allowed to read and write the keys of Options.Prefix"},
	{rpctypes.ErrNoSpace,
		"the cluster is full and takes no writes: compact, defragment, and disarm its alarm"},
	{rpctypes.ErrNoLeader, "the cluster has no leader: a majority of the members is missing"},
	{rpctypes.ErrTimeout, "a majority of the members does not answer"},
	{context.Canceled, whetherDone},
	{context.DeadlineExceeded, whetherDone},
}

const whetherDone = "the context ended before the cluster answered, so check that it is " +
	"running; the next view shows whether the write was applied"

// Explain adds to an error what to do. The client keeps passwords out of its
// errors, and nothing is added here that could have one.
func (*etcd) Explain(doing string, err error) error {
	for _, a := range advice {
		if errors.Is(err, a.err) {
			return fmt.Errorf("etcdstore: %s: %w: %s", doing, err, a.do)
		}
	}
	return fmt.Errorf("etcdstore: %s: %w", doing, err)
}
