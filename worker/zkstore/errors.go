package zkstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-zookeeper/zk"
)

// advice is what to do about the errors of the client.
var advice = []struct {
	err error
	do  string
}{
	{zk.ErrNoAuth, "the nodes' ACL does not allow it: give the connection the right AddAuth, or Options.ACL"},
	{zk.ErrAuthFailed, "the ensemble refuses the connection's AddAuth: check user and password"},
	{zk.ErrNoServer, "no server answers: start one, or check hosts and ports; the client goes on trying"},
	{zk.ErrSessionExpired, "the session is over; the client begins another"},
	{zk.ErrConnectionClosed, "the connection broke, and the client makes another; the next view shows what was done"},
	{zk.ErrInvalidPath, "look at Options.Root and the namespace's name"},
	{errOwner, "make the path of owners again if it is gone"},
	{context.Canceled, whetherDone},
	{context.DeadlineExceeded, whetherDone},
}

const whetherDone = "the context ended before the ensemble answered, so look whether it is there; the next view shows what was done"

// explain adds to an error what to do. The client keeps passwords out of its
// errors, and nothing is added here that could have one.
func explain(doing string, err error) error {
	for _, a := range advice {
		if errors.Is(err, a.err) {
			return fmt.Errorf("zkstore: %s: %w: %s", doing, err, a.do)
		}
	}
	return fmt.Errorf("zkstore: %s: %w", doing, err)
}
