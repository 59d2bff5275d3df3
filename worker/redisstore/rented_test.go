package redisstore

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
)

// rented answers CONFIG GET as a rented server does: with nothing if it is nil.
type rented struct{ error }

func (r rented) RedisError() {}

func (r rented) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if c, ok := cmd.(*redis.MapStringStringCmd); ok {
			c.SetVal(nil)
			return r.error
		}
		return next(ctx, cmd)
	}
}

func (rented) DialHook(next redis.DialHook) redis.DialHook { return next }

func (rented) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// The words are read, not run: redis.io's page "Compatibility with Redis Open Source configuration
// settings".
func TestSettingsThatAreNotTold(t *testing.T) {
	t.Parallel()
	for says, answer := range map[string]error{
		"CONFIG is forbidden (ERR Unsupported CONFIG parameter": rented{
			errors.New("ERR Unsupported CONFIG parameter: appendonly")},
		"CONFIG is forbidden (it does not tell": nil,
		"context deadline exceeded":             context.DeadlineExceeded,
	} {
		server, s := durable(t)
		client := open(t, server.Addr())
		client.AddHook(rented{answer})
		err := s.check(t.Context(), client)
		require.ErrorContains(t, err, says)
		assert.Equal(t, answer != context.DeadlineExceeded, errors.Is(err, worker.ErrStore))
	}
}

// What INFO shows. The fields of Amazon and Upstash are read, not run: other clients recognise
// them by these.
func TestInfoOfRentedServers(t *testing.T) {
	t.Parallel()
	s := newRows(open(t, testserver.Redis(t).Addr()), Options{AssertDurable: true})
	_, err := s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "aof_enabled:0", "whatever somebody says")

	info, err := s.client.Info(t.Context()).Result()
	require.NoError(t, err)
	for _, c := range []struct{ old, new, says string }{
		{"\nos:", "\nos:Amazon MemoryDB\r\nhost:", ""},
		{"\nos:", "\nupstash_version:1\r\nos:", "is Upstash"},
		{"\naof_enabled:0", "\naof_enabled:1\r\nconnected_slaves:3",
			"set min-replicas-to-write to 2"},
		{"\nrole:", "\nx:", "its INFO has no role"},
		{"\nrun_id:", "\nx:", "no run_id"},
		{"\nmaster_replid:", "\nx:", "no master_replid"},
	} {
		err := s.rented(strings.Replace(info, c.old, c.new, 1))
		if c.says == "" {
			assert.NoError(t, err, "the log may be elsewhere")
			continue
		}
		assert.ErrorContains(t, err, c.says)
	}
}

// A script sees INFO without the client. A name that is not there stands for a server without it.
func TestAScriptOfANamelessServer(t *testing.T) {
	source, err := lua.ReadFile("lua/prelude.lua")
	require.NoError(t, err)
	s, c := shared(t), cluster(t)
	for of, s := range map[string]*rows{"'role'": s, "run_id": s, "master_replid": s,
		"cluster_my_epoch": c} {
		text := strings.Replace(string(source), of, strings.ToUpper(of), 1)
		keys := []string{s.key("layouts"), s.headKey("l"), s.rowsKey("l")}
		err := s.client.Eval(t.Context(), text+"return 1", keys, "l").Err()
		require.ErrorIs(t, explain("reading rows", err, ""), worker.ErrStore, of)
	}
}
