package redisstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker"
)

const rights = "the user needs +eval +evalsha +time +info +hget +hmget +hgetall +hset +hsetnx " +
	"+sismember +smembers +sadd +srem +del +config|get, with replicas +set +wait, " +
	"with MinReplicas +waitaof, in a cluster +cluster|info, and the keys of Options.Prefix"

const moving = "the slot is being moved to another node: try again soon; if nobody is moving it " +
	"any more, type `redis-cli --cluster fix HOST:PORT`"

// advice is what to do about the errors that a server sends, by their first words.
var advice = []struct {
	prefix string
	is     error
	do     string
}{
	{"WRONGPASS", worker.ErrDenied, "check user and password"},
	{"NOAUTH", worker.ErrDenied, "the server requires a password: configure one in the client"},
	{"Protocol error: unauthenticated", worker.ErrDenied,
		"the server requires a password: configure one in the client"},
	{"AUTH", worker.ErrDenied,
		"the client has a password, and the server has none: check that it is the right server"},
	{"NOPERM", worker.ErrDenied, rights},
	// What Redis 7.0 says if a script is denied, and what Redis 7.2, 8 and Valkey say.
	{"The user executing the script", worker.ErrDenied, rights},
	{"ACL failure in script", worker.ErrDenied, rights},
	{"DB index is out of range", worker.ErrClaim, "the server has no database of that number"},
	{"NAMELESS", worker.ErrStore, "INFO or CLUSTER INFO lacks it, and without it a restart or a " +
		"fail-over is not seen: use another store"},
	{"READONLY", nil, "connect to the primary"},
	{"NOREPLICAS", nil, "fewer than min-replicas-to-write replicas are connected: start them"},
	{"OOM", nil, "the server's memory is full: raise maxmemory, and keep noeviction"},
	{"MISCONF", nil, "the server cannot write to its disk"},
	{"MOVED", nil, "a redis.ClusterClient, which a cluster needs, finds the node with the next call"},
	{"TRYAGAIN", nil, moving},
	{"ASK", nil, moving},
	{"Script attempted to access a non local key", nil, moving},
	{"CLUSTERDOWN", nil, "the cluster has no primary for the slot: look at CLUSTER NODES"},
	{"LOADING", nil, "the server is still loading its data: try again soon"},
}

// explain adds to an error what to do, or sent if the server did not refuse the request.
// go-redis keeps passwords out of its errors, and nothing that is added here can contain one.
func explain(doing string, err error, sent string) error {
	if err == nil {
		return nil
	}
	var is error
	do := sent
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF) {
		do = ": there was no answer: check the server, its port, and that both sides use TLS" + sent
	}
	for _, a := range advice {
		if redis.HasErrorPrefix(err, a.prefix) {
			is, do = a.is, ": "+a.do
		}
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		do = ": no server answers there: start it, or check host and port"
	}
	if errors.Is(err, redis.ErrClosed) {
		is, do = worker.ErrClaim, ": close the client after the generator"
	}
	if errors.Is(err, worker.ErrStore) {
		is, do = nil, "" // the error says it itself
	}
	if is != nil {
		err = fmt.Errorf("%w: %w", is, err)
	}
	return fmt.Errorf("redisstore: %s: %w%s", doing, err, do)
}
