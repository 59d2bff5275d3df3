package redisstore

import (
	"errors"
	"fmt"
	"net"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker"
)

const rights = "the user needs +eval +evalsha +time +info +hget +hmget +hgetall +hset +hsetnx " +
	"+sismember +smembers +sadd +srem +del +config|get, with MinReplicas +wait +waitaof, " +
	"with AssertAllReplicas +set, in a cluster +cluster|info, and the keys of Options.Prefix"

// advice is what to do about the errors that a server sends, by their first words.
var advice = []struct{ prefix, do string }{
	{"WRONGPASS", "check user and password"},
	{"NOAUTH", "the server requires a password: configure one in the client"},
	{"Protocol error: unauthenticated", "the server requires a password: configure one in the client"},
	{"AUTH", "the client has a password, and the server has none: check that it is the right server"},
	{"NOPERM", rights},
	{"The user executing the script", rights}, // what Redis 7.0 says if a script is denied,
	{"ACL failure in script", rights},         // and what Redis 7.2, 8 and Valkey say
	{"READONLY", "connect to the primary"},
	{"NOREPLICAS", "fewer than min-replicas-to-write replicas are connected: start them"},
	{"OOM", "the server's memory is full: raise maxmemory, and keep noeviction"},
	{"MISCONF", "the server cannot write to its disk"},
	{"MOVED", "use a redis.ClusterClient for a cluster"},
	{"TRYAGAIN", "the slot is being moved to another node: try again soon"},
	{"ASK", "the slot is being moved to another node: try again soon"},
	{"CLUSTERDOWN", "the cluster has no primary for the slot: look at CLUSTER NODES"},
	{"LOADING", "the server is still loading its data: try again soon"},
}

// explain adds to an error what to do, or sent if the server did not refuse the request.
// go-redis keeps passwords out of its errors, and nothing that is added here can contain one.
func explain(doing string, err error, sent string) error {
	if err == nil {
		return nil
	}
	do := sent
	for _, a := range advice {
		if redis.HasErrorPrefix(err, a.prefix) {
			do = ": " + a.do
		}
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		do = ": no server answers there: start it, or check host and port"
	}
	if errors.Is(err, worker.ErrStore) {
		do = "" // the error says it itself
	}
	return fmt.Errorf("redisstore: %s: %w%s", doing, err, do)
}
