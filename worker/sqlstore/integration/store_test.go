package integration

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func testKeysCountUp(t *testing.T, e env) {
	e.inited()
	for want := int64(1); want <= 5; want++ {
		assert.Equal(t, want, e.must("a"))
	}
	all, err := e.number("SELECT COUNT(*) FROM WORKER_NODE WHERE PORT = '1772600767089-4711' " +
		"AND LAUNCH_DATE = '2026-03-04' AND CREATED IS NOT NULL AND TYPE = " + fmt.Sprint(int(worker.Actual)))
	require.NoError(t, err)
	assert.Equal(t, int64(5), all, "Baidu's columns")
}

func testDisposable(t *testing.T, e env) {
	a := worker.Disposable(e.inited())
	lease, err := a.Assign(t.Context(), worker.Need{MaxID: 1})
	require.NoError(t, err)
	assert.Equal(t, int64(1), lease.WorkerID())
	assert.Equal(t, store.NeverReused, lease.Class())

	_, err = a.Assign(t.Context(), worker.Need{MaxID: 1})
	require.ErrorIs(t, err, worker.ErrRange)
}

func testInitTwice(t *testing.T, e env) {
	e.inited()
	assert.Equal(t, int64(1), e.must("a"))
	e.inited()
	assert.Equal(t, int64(2), e.must("a"))
}

func testManyInit(t *testing.T, e env) {
	var g errgroup.Group
	for range 8 {
		g.Go(func() error { return e.CreateTable(t.Context()) })
	}
	require.NoError(t, g.Wait())
	assert.Equal(t, int64(1), e.must("a"))
}

func testSchema(t *testing.T, e env) {
	for statement := range strings.SplitSeq(strings.TrimSpace(e.Schema()), ";\n") {
		e.exec(strings.TrimSuffix(statement, ";"))
	}
	v, err := e.View(t.Context(), pool, 0, 3)
	require.NoError(t, err)
	assert.NotEmpty(t, v.Server)
	assert.Equal(t, int64(1), e.must("a"))
}

// Processes that start together and a Java fleet on the same table: nobody gets
// what another has.
func testSharedTable(t *testing.T, e env) {
	const each = 15
	e.inited()
	var processes []*process
	for range 3 {
		processes = append(processes, spawn(t, e.driver, e.dsn, each))
	}
	for _, p := range processes {
		p.goes()
	}
	for range each {
		e.insertLikeJava("java")
	}
	var ids []int64
	for _, p := range processes {
		own := p.ids()
		assert.Len(t, own, each)
		assert.IsIncreasing(t, own)
		ids = append(ids, own...)
	}
	ids = append(ids, e.keysOf("java")...)
	slices.Sort(ids)
	require.Len(t, ids, 4*each)
	assert.Len(t, slices.Compact(ids), 4*each, "no id twice")
}

func testDeletedRows(t *testing.T, e env) {
	e.inited()
	e.must("a")
	e.must("b")
	e.exec(`DELETE FROM WORKER_NODE`)
	assert.Equal(t, int64(3), e.again().must("c"))
}

func TestServerThatCountsInSteps(t *testing.T) {
	t.Parallel()
	e := onMariaDB(t, testserver.Args("--auto-increment-increment=3",
		"--auto-increment-offset=2")).inited()
	assert.Equal(t, []int64{2, 5, 8}, []int64{e.must("a"), e.must("b"), e.must("c")})
}
