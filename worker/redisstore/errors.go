package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker"
)

const rights = "the user needs +eval +evalsha +time +info +hget +hmget +hgetall +hset +hsetnx " +
	"+sismember +smembers +sadd +srem +del +config|get, with MinReplicas +set +wait +waitaof, " +
	"in a cluster +cluster|info, and the keys of Options.Prefix"

// advice is what to do about the errors that a server sends, by their first word.
var advice = []struct{ prefix, do string }{
	{"WRONGPASS", "check user and password"},
	{"NOAUTH", "the server requires a password: configure one in the client"},
	{"Protocol error: unauthenticated", "the server requires a password: configure one in the client"},
	{"AUTH", "the client has a password, and the server has none: check that it is the right server"},
	{"NOPERM", rights},
	{"The user executing the script", rights}, // Redis 7.0 says so of what a script may not,
	{"ACL failure in script", rights},         // and Redis 7.2, 8 and Valkey so
	{"READONLY", "connect to the primary"},
	{"NOREPLICAS", "fewer than min-replicas-to-write replicas are connected: start them"},
	{"OOM", "the server's memory is full: raise maxmemory, and keep noeviction"},
	{"MISCONF", "the server cannot write to its disk"},
	{"MOVED", "use a redis.ClusterClient for a cluster"},
	{"TRYAGAIN", "the slot is being moved to another node: try again soon"},
	{"ASK", "the slot is being moved to another node: try again soon"},
	{"CLUSTERDOWN", "the cluster has no primary for the slot: look at CLUSTER NODES"},
	{"LOADING", "the server is still loading its data: try again soon"},
	{"NOSCRIPT", "the script was flushed during the call: the next call loads it again"},
}

// What may have happened all the same when no answer came.
const (
	nothing = ""
	unknown = "; the next view shows whether the write was applied"
)

// explain adds to an error what to do, and what may have been sent. go-redis keeps passwords
// out of its errors, and nothing is added here that could have one.
func explain(doing string, err error, sent string) error {
	return fmt.Errorf("redisstore: %s: %w%s", doing, err, hint(err, sent))
}

func hint(err error, sent string) string {
	if errors.Is(err, worker.ErrStore) {
		return "" // says it itself
	}
	if i := slices.IndexFunc(advice, func(a struct{ prefix, do string }) bool {
		return redis.HasErrorPrefix(err, a.prefix)
	}); i >= 0 {
		return ": " + advice[i].do
	}
	var op *net.OpError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return ": the context ended before the server answered" + sent
	case errors.As(err, &op) && op.Op == "dial":
		return ": no server answers there: start it, or check host and port"
	}
	return sent
}
