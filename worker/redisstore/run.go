package redisstore

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker/internal/await"
	"github.com/ringuid/ringuid/worker/store"
)

// read runs a script that writes nothing.
func (s *Store) read(ctx context.Context, script *redis.Script, keys []string) ([]any, error) {
	return await.Call(ctx, func() ([]any, error) { return script.Run(ctx, s.client, keys).Slice() })
}

// write runs a script, and believes that it wrote when enough replicas have it
// too. go-redis may repeat it when it gets no answer; the scripts can bear that.
func (s *Store) write(ctx context.Context, script *redis.Script, keys []string, args []any) (int, error) {
	return await.Call(ctx, func() (int, error) {
		if s.o.MinReplicas <= 0 {
			return script.Run(ctx, s.client, keys, args...).Int()
		}
		node, err := s.node(ctx, keys[0])
		if err != nil {
			return 0, err
		}
		answer, err := s.writeAndWait(ctx, node, script.EvalSha, keys, args)
		if redis.HasErrorPrefix(err, "NOSCRIPT") {
			answer, err = s.writeAndWait(ctx, node, script.Eval, keys, args)
		}
		if c, ok := s.client.(*redis.ClusterClient); ok && redis.HasErrorPrefix(err, "MOVED") {
			c.ReloadState(ctx) // so that the next call finds the node
		}
		return answer, err
	})
}

// node is the server that has a key. WAIT means the connection it comes on, so a
// pipeline to one server carries both.
func (s *Store) node(ctx context.Context, key string) (*redis.Client, error) {
	switch c := s.client.(type) {
	case *redis.Client:
		return c, nil
	case *redis.ClusterClient:
		return c.MasterForKey(ctx, key)
	}
	return nil, fmt.Errorf("%w: a client of type %T: use redis.Client or redis.ClusterClient", store.ErrStore, s.client)
}

// eval is EVALSHA or EVAL of a script.
type eval func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

func (s *Store) writeAndWait(ctx context.Context, node *redis.Client, run eval, keys []string, args []any) (int, error) {
	ms := s.o.WaitTimeout.Milliseconds()
	p := node.Pipeline()
	script := run(ctx, p, keys, args...)
	memory := p.Do(ctx, "WAIT", s.o.MinReplicas, ms)
	disk := p.Do(ctx, "WAITAOF", 0, s.o.MinReplicas, ms)
	_, _ = p.Exec(ctx) // each command has its own error

	answer, err := script.Int()
	if err != nil || answer != 1 {
		return answer, err
	}
	have, err := memory.Int()
	if err == nil && have >= s.o.MinReplicas {
		have, err = synced(disk, have)
	}
	if err != nil {
		return 0, fmt.Errorf("waiting for replicas: %w", err)
	}
	if have < s.o.MinReplicas {
		return 0, fmt.Errorf("%d of the %d replicas required have it after %v: look at the replicas' link and disk",
			have, s.o.MinReplicas, s.o.WaitTimeout)
	}
	return answer, nil
}

// synced is how many replicas have it on disk. A server before 7.2 cannot tell:
// then those count that have it at all.
func synced(waitAOF *redis.Cmd, have int) (int, error) {
	counts, err := waitAOF.Int64Slice()
	switch {
	case redis.HasErrorPrefix(err, "unknown command"):
		return have, nil
	case err != nil:
		return 0, err
	case len(counts) != 2:
		return 0, fmt.Errorf("WAITAOF answers %v", counts)
	}
	return int(counts[1]), nil
}
