package redisstore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// backup keeps the server's log. What it returns restores it while the server is down.
func (s *rows) backup(t *testing.T) (restore func()) {
	config, err := s.client.ConfigGet(t.Context(), "dir").Result()
	require.NoError(t, err)
	log, kept := filepath.Join(config["dir"], "appendonlydir"), t.TempDir()
	require.NoError(t, os.CopyFS(kept, os.DirFS(log)))
	return func() {
		require.NoError(t, os.RemoveAll(log))
		require.NoError(t, os.CopyFS(log, os.DirFS(kept)))
	}
}

// A backup is restored under three holders, and beside three that were killed.
func TestRestoredUnderHolders(t *testing.T) {
	t.Parallel()
	restored := func(t *testing.T, floorRises bool) []string {
		server, s := durable(t)
		h := leasetest.Start(t, s, 6)
		join := func(n int) (joined []*leasetest.Holder) {
			for range n {
				joined = append(joined, h.Join(s.on(open(t, server.Addr()))))
			}
			return joined
		}
		all := join(6)
		h.GoOn("nothing happened")
		restore := s.backup(t)
		h.GoOn("a backup was made")
		h.GoOn("that was a while ago")
		dead, living := all[:3], all[3:]
		if !floorRises {
			dead, living = all, nil // or they would see that rows went back in time
		}
		for _, m := range dead {
			m.Crash()
		}
		for _, m := range living {
			m.CutOff() // so that the restored rows can be looked at
		}
		server.Kill()
		restore()
		server.Start()
		v := leasetest.ViewInTime(t, s)
		for _, m := range all {
			require.Less(t, v.Rows[m.WorkerID()-1].High, m.Last(), "it is the backup")
		}
		if !floorRises {
			must(t, s, "HSET", s.headKey(v.Layout), "epoch", v.Server, "floor", v.Floor)
		}
		for _, m := range living {
			m.Mend()
		}
		join(3)
		h.GoOn("the backup was restored")
		return h.Duplicates()
	}
	t.Run("the floor rises", func(t *testing.T) { assert.Empty(t, restored(t, true)) })
	t.Run("the floor does not rise", func(t *testing.T) {
		assert.NotEmpty(t, restored(t, false), "the test above could find nothing")
	})
}
