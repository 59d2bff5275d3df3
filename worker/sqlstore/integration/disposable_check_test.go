package integration

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// starts says what a start of Disposable must answer, in the words of Leased: nothing, or a
// word of the error, and then a worker id of another class for who accepts the risk.
func (e env) starts(t *testing.T, word string) {
	t.Helper()
	lease, err := worker.Disposable(e.Store).Assign(t.Context(), needOfTests)
	want := store.NeverReused
	if word == "" {
		require.NoError(t, err)
		assert.Equal(t, want, lease.Class())
	} else {
		require.ErrorIs(t, err, store.ErrStore)
		assert.ErrorContains(t, err, word)
		want = store.Unfenced
	}
	lease, err = worker.Disposable(worker.AllowUnfenced(e.Store)).Assign(t.Context(), needOfTests)
	require.NoError(t, err)
	assert.Equal(t, want, lease.Class())
}

func TestDisposableOnServersThatDoNotWaitForTheDisk(t *testing.T) {
	t.Parallel()
	onMariaDB(t).inited().starts(t, "innodb_flush_log_at_trx_commit is 0")
	onPostgres(t).inited().starts(t, "fsync is off")
}

func TestDisposableOnMariaDB(t *testing.T) {
	t.Parallel()
	e := onMariaDB(t, testserver.Durable(),
		testserver.Args("--log-bin", "--sync-binlog=1", "--binlog-format=STATEMENT")).inited()
	e.starts(t, "")
	_, err := e.Check(t.Context())
	require.ErrorContains(t, err, "STATEMENT", "which is about leases alone")
	e.exec("SET GLOBAL sync_binlog = 0")
	e.again().starts(t, "sync_binlog is 0")
	e.exec("SET GLOBAL sync_binlog = 1", "SET GLOBAL innodb_flush_log_at_trx_commit = 2")
	e.again().starts(t, "innodb_flush_log_at_trx_commit is 2")
}

// In memory each process, and each connection, has a database of its own: all begin with
// the same worker id. Nobody can accept that.
func TestDisposableInMemory(t *testing.T) {
	for _, dsn := range []string{
		"", ":memory:", sqlstore.SQLiteDSN(":memory:"), "file::memory:?cache=shared",
		"file:named?mode=memory&cache=shared", "file:named?vfs=memdb",
	} {
		t.Run(dsn, func(t *testing.T) {
			e := open(t, "sqlite", dsn, nil)
			_, registering := e.Register(t.Context(), node("a"), needOfTests)
			_, starting := worker.Disposable(e.Store).Assign(t.Context(), needOfTests)
			unfenced := worker.Disposable(worker.AllowUnfenced(e.Store))
			_, accepting := unfenced.Assign(t.Context(), needOfTests)
			for what, err := range map[string]error{
				"CreateTable": e.CreateTable(t.Context()), "Register": registering,
				"Assign": starting, "AllowUnfenced": accepting,
			} {
				require.ErrorIs(t, err, store.ErrStore, what)
				assert.ErrorContains(t, err, "in memory", what)
			}
		})
	}
}
