package redisstore

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/store"
)

// read runs a script that shows what is there. Where a fail-over must not lose what it
// shows, that counts only when all replicas have it, too: a holder believes a write of its
// own that a view shows, whatever became of the waiting for it.
func (s *Store) read(ctx context.Context, script *redis.Script, keys []string) ([]any, error) {
	return cancelable.Call(ctx, func() (answer []any, err error) {
		if !s.o.AssertAllReplicas || s.o.MinReplicas <= 0 {
			return script.Run(ctx, s.client, keys).Slice()
		}
		err = s.runAndWait(ctx, script, keys, []any{s.key("view", "")},
			func(c *redis.Cmd) (wrote bool, err error) {
				answer, err = c.Slice()
				return true, err
			})
		return answer, err
	})
}

// write runs a script, and believes that it wrote when enough replicas have it
// too. go-redis may repeat it when it gets no answer; the scripts can bear that.
func (s *Store) write(ctx context.Context, script *redis.Script, keys []string, args []any) (int,
	error) {
	return cancelable.Call(ctx, func() (answer int, err error) {
		if s.o.MinReplicas <= 0 {
			return script.Run(ctx, s.client, keys, args...).Int()
		}
		err = s.runAndWait(ctx, script, keys, args, func(c *redis.Cmd) (wrote bool, err error) {
			answer, err = c.Int()
			return answer == 1, err
		})
		if err != nil {
			answer = 0
		}
		return answer, err
	})
}

// look reads the answer of a script, and says whether it wrote.
type look func(*redis.Cmd) (wrote bool, err error)

func (s *Store) runAndWait(ctx context.Context, script *redis.Script, keys []string, args []any,
	look look) error {
	node, err := s.node(ctx, keys[0])
	if err != nil {
		return err
	}
	err = s.pipeline(ctx, node, script.EvalSha, keys, args, look)
	if redis.HasErrorPrefix(err, "NOSCRIPT") {
		err = s.pipeline(ctx, node, script.Eval, keys, args, look)
	}
	if c, ok := s.client.(*redis.ClusterClient); ok && redis.HasErrorPrefix(err, "MOVED") {
		c.ReloadState(ctx) // so that the next call finds the node
	}
	return err
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
	return nil, fmt.Errorf("%w: a client of type %T: use redis.Client or redis.ClusterClient",
		store.ErrStore, s.client)
}

// eval is EVALSHA or EVAL of a script.
type eval func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

func (s *Store) pipeline(ctx context.Context, node *redis.Client, run eval, keys []string,
	args []any, look look) error {
	ms := s.o.WaitTimeout.Milliseconds()
	here := 0
	if s.o.AssertAllReplicas {
		here = 1 // it refuses, then, if the server has stopped writing a log
	}
	p := node.Pipeline()
	script := run(ctx, p, keys, args...)
	memory := p.Do(ctx, "WAIT", s.o.MinReplicas, ms)
	disk := p.Do(ctx, "WAITAOF", here, s.o.MinReplicas, ms)
	_, _ = p.Exec(ctx) // each command has its own error

	wrote, err := look(script)
	if err != nil || !wrote {
		return err
	}
	have, err := memory.Int()
	if err == nil && have >= s.o.MinReplicas {
		have, err = s.synced(disk, here, have)
	}
	if err != nil {
		return fmt.Errorf("waiting for replicas: %w", err)
	}
	if have < s.o.MinReplicas {
		return fmt.Errorf("%d of the %d replicas required have it after %v: look at the replicas' "+
			"link and disk",
			have, s.o.MinReplicas, s.o.WaitTimeout)
	}
	return nil
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
