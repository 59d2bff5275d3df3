package integration

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

func onMySQL56(t *testing.T) env {
	s := testserver.MySQL56(t, testserver.Durable())
	return open(t, "mysql", s.DSN(), s)
}

// restarted is the same database after its server was restarted.
func (e env) restarted() env {
	e.server.Stop()
	e.server.Start()
	return e.again()
}

// MySQL before 8.0 goes on from the highest row that is left.
func TestCounterThatARestartForgets(t *testing.T) {
	t.Parallel()
	e := onMySQL56(t).inited()
	for want := int64(1); want <= 5; want++ {
		assert.Equal(t, want, e.must("before"))
	}
	e.exec(`DELETE FROM WORKER_NODE WHERE ID > 2`)
	assert.Equal(t, int64(6), e.must("it still knows"))
	e.exec(`DELETE FROM WORKER_NODE WHERE ID > 2`)

	e = e.restarted()
	_, err := e.Register(t.Context(), node("after"), needOfTests)
	require.ErrorIs(t, err, sqlstore.ErrCounter)
	assert.ErrorContains(t, err, "the new row's key is 3, and 6 was given out before")
	assert.ErrorContains(t, err, "MySQL 5.6")
	const mend = "ALTER TABLE WORKER_NODE AUTO_INCREMENT = 7"
	assert.ErrorContains(t, err, mend)
	e.exec(mend)
	assert.Equal(t, int64(7), e.must("after"))
	require.NoError(t, e.CreateTable(t.Context()), "which leaves it")
	assert.Equal(t, int64(8), e.restarted().must("after"))
}

func TestManyRegisterOnMySQL56(t *testing.T) {
	t.Parallel()
	e := onMySQL56(t).inited()
	var all errgroup.Group
	var mu sync.Mutex
	var keys []int64
	for range 6 {
		all.Go(func() error {
			for range 20 {
				key, err := e.Register(t.Context(), node("a"), needOfTests)
				if err != nil {
					return err
				}
				mu.Lock()
				keys = append(keys, key)
				mu.Unlock()
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	slices.Sort(keys)
	assert.Len(t, slices.Compact(keys), 120)
}

// A table that Java has made is one of which the highest key is not known yet.
func TestTableWithoutItsHighestKey(t *testing.T) {
	t.Parallel()
	e := onMySQL56(t)
	e.exec(e.Schema())
	e.insertLikeJava("java")
	_, err := e.Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, sqlstore.ErrNoTable)
	assert.ErrorContains(t, err, "uid_key")
	assert.ErrorContains(t, err, "uidbench worker init")
	e.inited()
	assert.Equal(t, int64(2), e.must("a"))
	e.exec(`DELETE FROM uid_key`)
	_, err = e.Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, sqlstore.ErrCounter)
	assert.ErrorContains(t, err, "uid_key is empty")
}

func TestLeasesOnMySQL56(t *testing.T) {
	t.Parallel()
	e := onMySQL56(t)
	n, err := worker.NewNamespace("default", needOfTests, 0, 3, time.Minute)
	require.NoError(t, err)
	err = e.Leases().Init(t.Context(), n, store.InitOptions{Fresh: true})
	require.ErrorIs(t, err, store.ErrStore)
	assert.ErrorContains(t, err, "5.7 or later")
	tables, err := e.number(`SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()`)
	require.NoError(t, err)
	assert.Zero(t, tables)
}
