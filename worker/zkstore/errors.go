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
	{zk.ErrNoAuth, "the nodes' ACL does not allow it: give the connection the right AddAuth, or " +
		"set Options.ACL"},
	{zk.ErrAuthFailed, "the ensemble refused the connection's AddAuth: check user and password"},
	{zk.ErrNoServer, notConnected},
	{zk.ErrSessionExpired, "the session has expired; the client opens another"},
	{zk.ErrConnectionClosed,
		"the connection broke, and the client opens another; the next view shows whether the write " +
			"was applied"},
	{zk.ErrInvalidPath, "check Options.Root"},
	{context.Canceled, whetherDone},
	{context.DeadlineExceeded, whetherDone},
}

const whetherDone = "the context ended before the ensemble answered, so check that it is " +
	"running; the next view shows whether the write was applied"

// A server refuses a client that has seen later writes than it has itself, by
// closing the connection without a word, and the client never forgets what it saw.
const notConnected = "no server answers: start one, or check hosts and ports; the client keeps " +
	"trying. Or the servers were restored to an older state, and refuse all clients that have seen " +
	"a later one: run `uidbench worker quarantine`, and restart this process"

// Explain adds to an error what to do. The client keeps passwords out of its
// errors, and nothing is added here that could have one.
func (n *nodes) Explain(doing string, err error) error {
	if ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); ended &&
		n.conn.State() != zk.StateHasSession {
		return fmt.Errorf("zkstore: %s: %w: %s", doing, err, notConnected)
	}
	for _, a := range advice {
		if errors.Is(err, a.err) {
			return fmt.Errorf("zkstore: %s: %w: %s", doing, err, a.do)
		}
	}
	return fmt.Errorf("zkstore: %s: %w", doing, err)
}
