package integration

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// TestStore runs every test on an empty database of each dialect. Those of one
// dialect share a server; tests that stop it have one of their own (loss_test.go).
func TestStore(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		tests := map[string]func(*testing.T, env){
			"Nodes lists what was registered": testNodes,
			"many CreateTable at once":        testManyInit,
			"Schema is what CreateTable does": testSchema,
			"stores and Java share a table":   testSharedTable,
			"no table":                        testNoTable,
			"tables of another shape":         testOtherShapes,
			"context that has ended":          testContextEnded,
		}
		if e.server != nil { // a file has no users and no network
			tests["no database"] = testNoDatabase
			tests["connection lost between INSERT and answer"] = testAnswerLost
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) { test(t, e.fresh(t)) })
		}
	})
}

func testNodes(t *testing.T, e env) {
	rows, err := e.inited().Nodes(t.Context(), 0)
	require.NoError(t, err)
	assert.Empty(t, rows)

	before := time.Now().Truncate(time.Second)
	e.must("first")
	e.insertLikeJava("second")
	e.must("third")
	id, err := e.Register(t.Context(), node("one above the layout"), 3)
	require.NoError(t, err)
	assert.Equal(t, int64(4), id, "and has no row")
	after := time.Now()

	rows, err = e.Nodes(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	for i, r := range rows {
		assert.Equal(t, int64(3-i), r.ID, "the newest first")
		at := r.Created
		assert.False(t, at.Before(before) || at.After(after), "%v in %v to %v", at, before, after)
	}
	assert.Equal(t, store.Node{
		HostName: "third", Port: "1772600767089-4711", Type: 2,
		LaunchDate: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC),
	}, rows[0].Node)
	assert.Equal(t, store.Node{
		HostName: "second", Port: "8080", Type: 1,
		LaunchDate: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC),
	}, rows[1].Node)

	rows, err = e.Nodes(t.Context(), 2)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, "third", rows[0].HostName)
}

// Any number of processes may create the tables, at once or again: what is there stays.
func testManyInit(t *testing.T, e env) {
	for want := range int64(2) {
		var g errgroup.Group
		for range 8 {
			g.Go(func() error { return e.CreateTable(t.Context()) })
		}
		require.NoError(t, g.Wait())
		assert.Equal(t, want+1, e.must("a"))
	}
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

// Stores with connections of their own, as in processes that start together, and a Java fleet on
// the same table: nobody gets what another has.
func testSharedTable(t *testing.T, e env) {
	const each = 15
	e.inited()
	var all errgroup.Group
	var taken [3][]int64
	for i := range taken {
		assigner := worker.Disposable(e.again().Store)
		all.Go(func() error {
			for range each {
				lease, err := assigner.Assign(t.Context(), needOfTests)
				if err != nil {
					return err
				}
				taken[i] = append(taken[i], lease.WorkerID())
			}
			return nil
		})
	}
	for range each {
		e.insertLikeJava("java")
	}
	require.NoError(t, all.Wait())
	var ids []int64
	for _, own := range taken {
		assert.IsIncreasing(t, own)
		ids = append(ids, own...)
	}
	rows, err := e.Nodes(t.Context(), 0)
	require.NoError(t, err)
	for _, r := range rows {
		if r.HostName == "java" {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	require.Len(t, ids, 4*each)
	assert.Len(t, slices.Compact(ids), 4*each, "no id twice")

	e.exec(`DELETE FROM WORKER_NODE WHERE ID > 0`)
	assert.Greater(t, e.again().must("later"), ids[len(ids)-1], "ids of deleted rows stay away")
}

// MariaDB alone can have such rows, and its driver the most ways to read them.
func TestNodesOfOddRows(t *testing.T) {
	t.Parallel()
	e := among(t, "MariaDB").inited()
	e = open(t, e.driver, e.dsn+"?sql_mode=''&parseTime=true&loc=Asia%2FShanghai", e.server)
	e.exec(`INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
VALUES ('odd', '', 7, '0000-00-00', '2026-03-04 00:00:00', '0000-00-00 00:00:00')`)
	rows, err := e.Nodes(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Equal(t, 7, rows[0].Type)
	assert.True(t, rows[0].LaunchDate.IsZero())
	assert.True(t, rows[0].Created.IsZero())
}
