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
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// rented answers INFO and CONFIG as a rented server does. All else the real server answers.
type rented struct {
	redis.Hook
	info   *strings.Replacer // changes the text of INFO
	config func(*redis.MapStringStringCmd)
}

func (r rented) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		switch c := cmd.(type) {
		case *redis.StringCmd:
			if r.info != nil && c.Name() == "info" {
				c.SetVal(r.info.Replace(c.Val()))
			}
		case *redis.MapStringStringCmd:
			if r.config != nil {
				r.config(c)
				err = c.Err()
			}
		}
		return err
	}
}

func (rented) DialHook(next redis.DialHook) redis.DialHook { return next }

func (rented) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// refusal is an answer of the server.
type refusal string

func (r refusal) Error() string { return string(r) }
func (refusal) RedisError()     {}

// The answers are read, not run: redis.io's "Compatibility with Redis Open Source configuration
// settings", Amazon's "Restricted commands", Google's "Supported and blocked commands", and the
// fields by which other clients recognise Amazon's and Upstash's servers.
func TestWhatRentedServersAnswer(t *testing.T) {
	t.Parallel()
	forgetful := testserver.Redis(t)
	kept, _ := durable(t)
	refuses := func(text string) func(*redis.MapStringStringCmd) {
		return func(c *redis.MapStringStringCmd) { c.SetErr(refusal(text)) }
	}
	lacks := func(name string) *strings.Replacer {
		return strings.NewReplacer("\n"+name+":", "\nx-"+name+":")
	}
	elsewhere := strings.NewReplacer("\nos:", "\nos:Amazon MemoryDB\r\nhost:")
	for name, c := range map[string]struct {
		server *testserver.Server
		vouch  bool // AssertDurable
		answer rented
		says   string // "": FencedLossy
	}{
		"Memorystore": {kept, false, rented{config: refuses("NOPERM this user has no permissions")},
			"CONFIG is forbidden"},
		"ElastiCache": {kept, false, rented{config: refuses("ERR unknown command 'config'")},
			"CONFIG is forbidden"},
		"Redis Cloud": {kept, false, rented{config: refuses("ERR Unsupported CONFIG parameter")},
			"CONFIG is forbidden (ERR Unsupported"},
		"nothing is told": {kept, false, rented{config: func(c *redis.MapStringStringCmd) {
			c.SetVal(map[string]string{})
		}}, "CONFIG is forbidden (it does not tell"},
		"an answer that got lost": {kept, false, rented{config: func(c *redis.MapStringStringCmd) {
			c.SetErr(context.DeadlineExceeded)
		}}, context.DeadlineExceeded.Error()},
		"a log":                          {kept, true, rented{}, ""},
		"no log, whatever somebody says": {forgetful, true, rented{}, "aof_enabled:0"},
		"a log elsewhere":                {forgetful, true, rented{info: elsewhere}, ""},
		"a log elsewhere, perhaps":       {forgetful, false, rented{info: elsewhere}, "appendonly"},
		"Upstash": {kept, true, rented{info: strings.NewReplacer("\nredis_version:",
			"\nupstash_version:1.0\r\nredis_version:")}, "is Upstash"},
		"no role":           {kept, true, rented{info: lacks("role")}, "its INFO has no role"},
		"no run":            {kept, true, rented{info: lacks("run_id")}, "its INFO has no run_id"},
		"no replication id": {kept, true, rented{info: lacks("master_replid")}, "no master_replid"},
	} {
		client := open(t, c.server.Addr())
		client.AddHook(c.answer)
		lossy, err := newRows(client, Options{AssertDurable: c.vouch}).Check(t.Context())
		if c.says == "" {
			require.NoError(t, err, name)
			assert.True(t, lossy, name)
			continue
		}
		require.ErrorContains(t, err, c.says, name)
		assert.Equal(t, !errors.Is(err, context.DeadlineExceeded), errors.Is(err, worker.ErrStore), name)
	}
}

// A script sees INFO without the client. A name that is not there stands for a server without it.
func TestAScriptOfANamelessServer(t *testing.T) {
	s := shared(t)
	source, err := lua.ReadFile("lua/prelude.lua")
	require.NoError(t, err)
	c := cluster(t)
	for of, s := range map[string]*rows{"'role'": s, "run_id": s, "master_replid": s,
		"cluster_my_epoch": c} {
		text := strings.Replace(string(source), of, strings.ToUpper(of), 1)
		require.NotEqual(t, string(source), text)
		keys := []string{s.key("layouts"), s.key("view"), s.headKey("l"), s.rowsKey("l")}
		err := s.client.Eval(t.Context(), text+"return 1", keys, "l").Err()
		err = explain("reading rows", err, "")
		require.ErrorIs(t, err, worker.ErrStore, of)
		assert.ErrorContains(t, err, "use another store")
	}
	assert.Zero(t, leasetest.View(t, s).Head)
}
