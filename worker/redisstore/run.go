package redisstore

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
)

// write runs a script that answers 1 when it wrote, or 0, and believes that it wrote when
// enough replicas have it too.
func (s *Store) write(ctx context.Context, doing string, script *redis.Script, keys []string,
	args ...any) (applied bool, err error) {
	sent := unknown
	if ctx.Err() != nil {
		sent = nothing
	}
	answer, err := s.run(ctx, script, keys, args, true)
	if err != nil {
		return false, explain(doing, err, sent)
	}
	return answer == any(int64(1)), nil
}

// run runs a script once, on a connection that it has to itself. go-redis repeats a command
// whose answer is lost, but not on such a connection, which ends with that: a repeated
// creation could bring back the nonce of a row that was deleted meanwhile. WAIT, too, is about
// what its own connection wrote. If waits, an answer other than 0 counts only when enough
// replicas have what it is about.
func (s *Store) run(ctx context.Context, script *redis.Script, keys []string, args []any,
	waits bool) (any, error) {
	return cancelable.Call(ctx, func() (any, error) {
		node, err := s.node(ctx, keys[0])
		if err != nil {
			return nil, err
		}
		conn := node.Conn()
		defer conn.Close()
		waits = waits && s.o.MinReplicas > 0
		answer, err := s.pipeline(ctx, conn, script.EvalSha, keys, args, waits)
		if redis.HasErrorPrefix(err, "NOSCRIPT") { // so it did not run
			answer, err = s.pipeline(ctx, conn, script.Eval, keys, args, waits)
		}
		if c, ok := s.client.(*redis.ClusterClient); ok && redis.HasErrorPrefix(err, "MOVED") {
			c.ReloadState(ctx) // so that the next call finds the node
		}
		return answer, err
	})
}

// node is the server that has a key.
func (s *Store) node(ctx context.Context, key string) (*redis.Client, error) {
	switch c := s.client.(type) {
	case *redis.Client:
		return c, nil
	case *redis.ClusterClient:
		return c.MasterForKey(ctx, key)
	}
	return nil, fmt.Errorf("%w: a client of type %T may spread keys over servers: use redis.Client "+
		"or redis.ClusterClient", worker.ErrStore, s.client)
}

// eval is EVALSHA or EVAL of a script.
type eval func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

func (s *Store) pipeline(ctx context.Context, conn *redis.Conn, run eval, keys []string,
	args []any, waits bool) (any, error) {
	if !waits {
		return run(ctx, conn, keys, args...).Result()
	}
	ms := s.o.WaitTimeout.Milliseconds()
	here := 0
	if s.o.AssertAllReplicas {
		here = 1 // it refuses, then, if the server has stopped writing a log
	}
	p := conn.Pipeline()
	script := run(ctx, p, keys, args...)
	memory := p.Do(ctx, "WAIT", s.o.MinReplicas, ms)
	disk := p.Do(ctx, "WAITAOF", here, s.o.MinReplicas, ms)
	_, _ = p.Exec(ctx) // each command has its own error

	answer, err := script.Result()
	if err != nil || answer == any(int64(0)) {
		return answer, err
	}
	have, err := memory.Int()
	if err == nil && have >= s.o.MinReplicas {
		have, err = s.synced(disk, here, have)
	}
	if err != nil {
		return nil, fmt.Errorf("waiting for replicas: %w", err)
	}
	if have < s.o.MinReplicas {
		return nil, fmt.Errorf("%d of the %d replicas required have it after %v: look at the "+
			"replicas' link and disk", have, s.o.MinReplicas, s.o.WaitTimeout)
	}
	return answer, nil
}

// synced is how many replicas have it on disk. A server before 7.2 cannot tell: then those
// count that have it at all, unless all must.
func (s *Store) synced(waitAOF *redis.Cmd, here, have int) (int, error) {
	counts, err := waitAOF.Int64Slice()
	switch {
	case redis.HasErrorPrefix(err, "unknown command") && !s.o.AssertAllReplicas:
		return have, nil
	case err != nil:
		return 0, err
	case len(counts) != 2 || counts[0] < int64(here):
		return 0, fmt.Errorf("WAITAOF answers %v", counts)
	}
	return int(counts[1]), nil
}
