package etcdstore

import (
	"context"
	"errors"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"

	"github.com/ringuid/ringuid/worker/internal/textstore"
)

// Advice is described at textstore.Server. The client keeps passwords out of its errors, and
// nothing is added here that could have one.
func (*etcd) Advice(err error) string {
	for _, a := range []struct {
		err error
		do  string
	}{
		{rpctypes.ErrAuthFailed, "check user and password"},
		{rpctypes.ErrUserEmpty,
			"the cluster requires a user and a password: configure them in the client"},
		{rpctypes.ErrPermissionDenied,
			"the user's role must be allowed to read and write the keys of Options.Prefix"},
		{rpctypes.ErrNoSpace,
			"the cluster is full and takes no writes: compact, defragment, and disarm its alarm"},
		{rpctypes.ErrNoLeader, noMajority},
		{rpctypes.ErrTimeout, noMajority},
		{context.DeadlineExceeded, "check that the cluster is running"},
	} {
		if errors.Is(err, a.err) {
			return a.do
		}
	}
	return ""
}

const noMajority = "a majority of the members does not answer: start them"

// sent is the error of a write that was sent. A server that answers that it is unavailable may
// have done the write.
func sent(err error) error {
	var answer rpctypes.EtcdError
	unavailable := rpctypes.ErrTimeout.(rpctypes.EtcdError).Code()
	if err == nil || errors.As(err, &answer) && answer.Code() != unavailable {
		return err
	}
	return textstore.Unanswered(err)
}
