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
	{rpctypes.ErrUserEmpty, "the cluster wants a user and a password: give them to the client"},
	{rpctypes.ErrInvalidAuthToken, "the cluster has forgotten who this is: the client logs in again"},
	{rpctypes.ErrPermissionDenied, "the user's role must be allowed to read and write the keys of Options.Prefix"},
	{rpctypes.ErrNoSpace, "the cluster is full and takes no writes: compact, defragment, and disarm its alarm"},
	{rpctypes.ErrNoLeader, "a majority of the members is not there"},
	{rpctypes.ErrTimeout, "a majority of the members does not answer"},
	{rpctypes.ErrTooManyOps, "set the cluster's max-txn-ops to 128, its default, or more"},
	{context.Canceled, whetherDone},
	{context.DeadlineExceeded, whetherDone},
}

const whetherDone = "the context ended before the cluster answered, so look whether it is there; the next view shows what was done"

// explain adds to an error what to do. The client keeps passwords out of its
// errors, and nothing is added here that could have one.
func explain(doing string, err error) error {
	for _, a := range advice {
		if errors.Is(err, a.err) {
			return fmt.Errorf("etcdstore: %s: %w: %s", doing, err, a.do)
		}
	}
	return fmt.Errorf("etcdstore: %s: %w", doing, err)
}
