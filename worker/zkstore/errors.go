package zkstore

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/textstore"
)

// Advice is described at textstore.Server. The client keeps passwords out of its errors, and
// nothing is added here that could have one.
func (n *nodes) Advice(err error) string {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	switch {
	case errors.Is(err, zk.ErrNoAuth):
		return "the nodes' ACL does not allow it: give the connection the right AddAuth, or set " +
			"Options.ACL"
	case errors.Is(err, zk.ErrAuthFailed):
		return "the ensemble refused the connection's AddAuth: check user and password"
	case errors.Is(err, zk.ErrInvalidPath):
		return "check Options.Root"
	case errors.Is(err, zk.ErrNoServer), ended && n.conn.State() != zk.StateHasSession:
		// A server refuses a client that has seen later writes than it has itself, by
		// closing the connection without a word, and the client never forgets what it saw.
		return "no server answers: start one, or check hosts and ports; the client keeps trying. Or " +
			"the servers were restored to an older state, and refuse all clients that have seen a later " +
			"one: run `uidbench worker quarantine`, and restart this process"
	case ended:
		return "check that the ensemble is running"
	}
	return ""
}

// sent is the error of a write that was sent.
func sent(err error) error {
	for _, silent := range []error{context.Canceled, context.DeadlineExceeded,
		zk.ErrConnectionClosed, zk.ErrSessionExpired} {
		if errors.Is(err, silent) {
			return textstore.Unanswered(err)
		}
	}
	return err
}
