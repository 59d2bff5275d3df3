package redisstore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// play is a server, and holders on it that have clients of their own.
type play struct {
	*leasetest.Holders
	t      *testing.T
	server *testserver.Server
	s      *Store
}

func newPlay(t *testing.T, workers int64) play {
	server, s := durable(t)
	return play{leasetest.Start(t, s, workers), t, server, s}
}

func (p play) open() *Store { return p.s.on(open(p.t, p.server.Addr())) }

func (p play) join(n int) (joined []*leasetest.Holder) {
	for range n {
		joined = append(joined, p.Join(p.open()))
	}
	return joined
}

// create creates the rows that are missing, as the command does in a process of its own.
func (p play) create() {
	pool := p.View(p.s).Pool
	_, err := worker.Init(p.t.Context(), p.open(), worker.Claim{First: 1, Last: 6, Slack: p.Slack},
		worker.Need{Unit: pool.Unit, MaxID: 255, Fingerprint: pool.Layout}, false)
	require.NoError(p.t, err)
}

// forge writes by hand that the floor was set for this server, so that nobody raises it.
func (p play) forge(floor int64) {
	v := p.View(p.s)
	must(p.t, p.s, "HSET", p.s.headKey(v.Layout), "epoch", v.Server, "floor", floor)
}

// All keys are deleted under six holders, twice, while others create rows.
func TestFlushedUnderHolders(t *testing.T) {
	t.Parallel()
	type holders []*leasetest.Holder
	flushed := func(t *testing.T, flush func(p play, all holders) holders) []uid.ID {
		p := newPlay(t, 6)
		all := holders(p.join(6))
		p.GoOn("nothing happened")
		for range 2 {
			all = flush(p, all)
			p.GoOn("all was deleted")
		}
		return p.Duplicates()
	}
	t.Run("rows begin above what was granted", func(t *testing.T) {
		assert.Empty(t, flushed(t, func(p play, all holders) holders {
			must(t, p.s, "FLUSHALL")
			p.create()
			return all
		}))
	})
	t.Run("rows begin at the present time", func(t *testing.T) {
		assert.NotEmpty(t, flushed(t, func(p play, all holders) holders {
			for _, m := range all {
				m.Crash() // or they would see that rows went back in time
			}
			must(t, p.s, "FLUSHALL")
			pool, created := p.View(p.s).Pool, store.Nonce{1}
			workers := []int64{1, 2, 3, 4, 5, 6}
			require.NoError(t, p.s.Create(t.Context(),
				store.Creation{Pool: pool, Workers: workers, Nonce: created}))
			now, err := p.s.Now(t.Context())
			require.NoError(t, err)
			require.NoError(t, p.s.Open(t.Context(), store.Opening{Pool: pool, Workers: workers,
				Created: created, Nonce: store.Nonce{2}, High: pool.TickAt(now)}))
			p.forge(1)
			return p.join(6)
		}), "the test above could find nothing")
	})
}

// backup saves the data. What it returns restores them while the server is down.
func (p play) backup() (restore func()) {
	p.t.Helper()
	must(p.t, p.s, "SAVE")
	config, err := p.s.client.ConfigGet(p.t.Context(), "dir").Result()
	require.NoError(p.t, err)
	saved, err := os.ReadFile(filepath.Join(config["dir"], "dump.rdb"))
	require.NoError(p.t, err)
	return func() {
		log := filepath.Join(config["dir"], "appendonlydir")
		require.NoError(p.t, os.RemoveAll(log))
		require.NoError(p.t, os.Mkdir(log, 0o700))
		for name, data := range map[string][]byte{
			"appendonly.aof.1.base.rdb": saved,
			"appendonly.aof.manifest":   []byte("file appendonly.aof.1.base.rdb seq 1 type b\n"),
		} {
			require.NoError(p.t, os.WriteFile(filepath.Join(log, name), data, 0o600))
		}
	}
}

// A backup is restored under three holders, and beside three that were killed.
func TestRestoredUnderHolders(t *testing.T) {
	t.Parallel()
	restored := func(t *testing.T, after func(p play, living []*leasetest.Holder)) []uid.ID {
		p := newPlay(t, 6)
		all := p.join(6)
		p.GoOn("nothing happened")
		restore := p.backup()
		p.GoOn("a backup was made")
		p.GoOn("that was a while ago")
		for _, m := range all[:3] {
			m.Crash()
		}
		for _, m := range all[3:] {
			m.CutOff() // so that the restored rows can be looked at
		}
		p.server.Kill()
		restore()
		p.server.Start()
		rows := p.View(p.s).Rows
		for _, m := range all {
			require.Less(t, rows[m.WorkerID()-1].High, m.Last(), "it is the backup")
		}
		after(p, all[3:])
		for _, m := range all[3:] {
			m.Mend()
		}
		p.join(3)
		p.GoOn("the backup was restored")
		return p.Duplicates()
	}
	t.Run("the floor rises", func(t *testing.T) {
		assert.Empty(t, restored(t, func(play, []*leasetest.Holder) {}))
	})
	t.Run("the floor does not rise", func(t *testing.T) {
		assert.NotEmpty(t, restored(t, func(p play, living []*leasetest.Holder) {
			for _, m := range living {
				m.Crash() // or they would see that rows went back in time
			}
			p.forge(p.View(p.s).Floor)
		}), "the test above could find nothing")
	})
}

// Two services have one layout, and no settings but the server.
func TestTwoServicesWithOneLayout(t *testing.T) {
	t.Parallel()
	services := func(t *testing.T, one, other Options) []uid.ID {
		p := newPlay(t, 6)
		must(t, p.s, "FLUSHALL") // the first to start creates the rows
		for range 3 {
			p.Join(New(open(t, p.server.Addr()), one))
			p.Join(New(open(t, p.server.Addr()), other))
		}
		p.GoOn("both have started")
		return p.Duplicates()
	}
	t.Run("share worker ids", func(t *testing.T) {
		assert.Empty(t, services(t, Options{}, Options{}))
	})
	t.Run("have two prefixes", func(t *testing.T) {
		twice := services(t, Options{Prefix: "one"}, Options{Prefix: "other"})
		assert.NotEmpty(t, twice, "the test above could find nothing")
	})
}
