package integration

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Disposable and Leased in one database, with one layout: a key is never the worker id of a
// pool.

// layoutOfMove is one whose worker ids keys can use up in a test.
func layoutOfMove() uid.Layout {
	now := time.Now().UTC()
	return uid.Layout{
		Epoch: time.Date(now.Year()-1, 1, 1, 0, 0, 0, 0, time.UTC), Unit: 10 * time.Millisecond,
		TimeBits: 40, WorkerBits: 6, SeqBits: 10,
	}
}

func needOfMove() worker.Need { return layoutOfMove().Need() }

// forDialects runs a test on an empty database of each, with its tables.
func forDialects(t *testing.T, test func(t *testing.T, e env)) {
	forEachDialect(t, func(t *testing.T, e env) { test(t, e.inited()) })
}

// registerUpTo takes keys up to this one.
func (e env) registerUpTo(key int64) {
	for id := int64(0); id < key; {
		var err error
		id, err = e.Register(e.t.Context(), node("a"), needOfMove().MaxID)
		require.NoError(e.t, err)
	}
}

// What operations.md says of a table that was restored raises its counter, though no row is in it.
func TestTheStatementsOfThePageRaiseTheCounter(t *testing.T) {
	page, err := os.ReadFile("../../../docs/operations.md")
	require.NoError(t, err)
	forDialects(t, func(t *testing.T, e env) {
		name := map[string]string{"mysql": "MySQL, MariaDB", "pgx": "PostgreSQL", "sqlite": "SQLite"}
		statement := regexp.MustCompile(`(?mi)^(.*WORKER_NODE.*); +-- ` + name[e.driver] + `$`)
		said := statement.FindStringSubmatch(string(page))
		require.NotNil(t, said)
		e.exec(said[1])
		assert.Equal(t, int64(1030), e.must("a"))
		all, err := e.Nodes(t.Context(), 0)
		require.NoError(t, err)
		assert.Equal(t, int64(1030), all[0].ID)
	})
}

// claims claims worker ids, any if last is 0.
func claims(first, last int64) worker.Claim {
	c := worker.Claim{Slack: 100 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
	if last > 0 {
		c.First, c.Count = first, last-first+1
	}
	return c
}

func (e env) leasing(first, last int64) worker.Assigner {
	return worker.Leased(e.Store, claims(first, last))
}

func TestLeasedAmongTheKeys(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		e.registerUpTo(5)
		e.exec("DELETE FROM WORKER_NODE WHERE ID > 0") // which is not to be done, and is
		for _, r := range [][2]int64{{0, 5}, {1, 1}, {5, 5}} {
			_, err := e.leasing(r[0], r[1]).Assign(t.Context(), needOfMove())
			require.ErrorIs(t, err, worker.ErrOverlap, "%v", r)
			assert.ErrorContains(t, err, "worker ids up to 5")
		}
		for _, r := range [][2]int64{{5, 9}, {3, 63}, {0, 0}} {
			lease, err := e.leasing(r[0], r[1]).Assign(t.Context(), needOfMove())
			require.NoError(t, err)
			assert.Greater(t, lease.WorkerID(), int64(5))
			require.NoError(t, lease.Release(t.Context(), 0))
		}
	})
}

// Keys that were given out are known by the sequence that the column's default reads.
func TestLeasedAmongTheKeysOfAnySequence(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	e.exec("ALTER TABLE worker_node ALTER id DROP IDENTITY", `CREATE SEQUENCE "100%"`,
		"CREATE SEQUENCE old OWNED BY worker_node.id",
		`ALTER TABLE worker_node ALTER id SET DEFAULT nextval('"100%"'::TEXT)`)
	e.registerUpTo(5)
	e.exec("DELETE FROM WORKER_NODE")
	_, err := e.leasing(1, 5).Assign(t.Context(), needOfMove())
	require.ErrorIs(t, err, worker.ErrStore)
	_, statement, _ := strings.Cut(err.Error(), "keys are not known: type ")
	e.exec(strings.Replace(statement, "SEQUENCE", `"100%"`, 1))
	_, err = e.leasing(1, 5).Assign(t.Context(), needOfMove())
	assert.ErrorIs(t, err, worker.ErrOverlap)

	// A row that somebody typed has not been counted, and its key is not used again.
	e.exec("INSERT INTO worker_node VALUES (60, '', '', 0, '2026-03-05', NOW(), NOW())")
	small := needOfMove()
	small.MaxID = 59
	lease, err := worker.Disposable(e.Store).Assign(t.Context(), small)
	require.NoError(t, err)
	assert.Equal(t, int64(6), lease.WorkerID())
	_, err = worker.Init(t.Context(), e.Store, claims(61, 61), needOfMove())
	require.NoError(t, err)
	// Who may not read the counter does not know whether it was set.
	const behind = `SELECT setval('"100%"', 59)`
	user := e.stranger()
	e.grant("SELECT, INSERT", "WORKER_NODE")
	e.grant("USAGE", `SEQUENCE "100%"`)
	e.exec(behind)
	_, err = user.Register(t.Context(), store.Node{LaunchDate: time.Now()}, 1023)
	require.ErrorContains(t, err, "duplicate key")
	assert.NotContains(t, err.Error(), "was not set")
	e.exec(behind)
	_, err = worker.Disposable(e.Store).Assign(t.Context(), needOfMove())
	require.ErrorIs(t, err, worker.ErrStore)
	_, statement, _ = strings.Cut(err.Error(), "was not set: type ")
	statement, _, _ = strings.Cut(statement, ": ")
	require.Equal(t, `ALTER SEQUENCE "100%" RESTART WITH 61`, statement)
	e.exec(statement)
	_, err = worker.Disposable(e.Store).Assign(t.Context(), needOfMove())
	require.ErrorIs(t, err, worker.ErrOverlap)
	assert.ErrorContains(t, err, `ALTER SEQUENCE "100%" RESTART WITH 62`)
}

// Of a crash loop the first try uses up a key: then the advice can be followed, on SQLite, too.
func TestPoolFromTheFirstKeyOn(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		_, err := worker.Init(t.Context(), e.Store, claims(0, 7), needOfMove())
		require.NoError(t, err)
		for range 3 {
			_, err = worker.Disposable(e.Store).Assign(t.Context(), needOfMove())
			require.ErrorIs(t, err, worker.ErrOverlap)
		}
		var log lines
		c := claims(1, 1)
		c.Logger = slog.New(slog.NewTextHandler(&log, nil))
		leased, err2 := worker.Leased(e.Store, c).Assign(t.Context(), needOfMove())
		require.NoError(t, err2)
		require.NoError(t, leased.Release(t.Context(), 0))
		assert.Equal(t, 1, log.has(t, "WORKER_NODE has given this worker id out"))
		_, statement, _ := strings.Cut(err.Error(), "above 7, have the keys continue above "+
			"its worker ids: ")
		e.exec(statement)
		lease, err := worker.Disposable(e.Store).Assign(t.Context(), needOfMove())
		require.NoError(t, err)
		assert.Equal(t, int64(8), lease.WorkerID())
		nodes, err := e.Nodes(t.Context(), 0)
		require.NoError(t, err)
		assert.Len(t, nodes, 2)
	})
}

// The error has the statement that lets the keys continue above the pool.
func TestKeyThatAPoolHas(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		_, err := worker.Init(t.Context(), e.Store, claims(3, 7), needOfMove())
		require.NoError(t, err)
		e.registerUpTo(2)
		for range 2 { // tries of a crash loop
			_, err = worker.Disposable(e.Store).Assign(t.Context(), needOfMove())
			require.ErrorIs(t, err, worker.ErrOverlap)
			assert.ErrorContains(t, err, "if the layout has worker ids above 7, have the keys")
		}
		nodes, err := e.Nodes(t.Context(), 0)
		require.NoError(t, err)
		assert.Len(t, nodes, 2, "which use up no key")
		_, err = e.Register(t.Context(), node("of another layout"), needOfTests.MaxID)
		require.ErrorIs(t, err, worker.ErrOverlap)
		_, statement, found := strings.Cut(err.Error(), "above its worker ids: ")
		require.True(t, found, err)
		e.exec(statement)
		id, err := e.Register(t.Context(), node("a"), needOfMove().MaxID)
		require.NoError(t, err)
		assert.Equal(t, int64(8), id)

		// The keys passed the pool over, so it serves as before.
		for _, r := range [][2]int64{{3, 7}, {0, 0}} {
			lease, err := e.leasing(r[0], r[1]).Assign(t.Context(), needOfMove())
			require.NoError(t, err)
			assert.Contains(t, []int64{3, 4, 5, 6, 7}, lease.WorkerID())
			require.NoError(t, lease.Release(t.Context(), math.MinInt64))
		}

		// Once the rows are deleted, nothing tells keys that were passed over from those that were
		// given out: worker ids above the counter remain, and then no key.
		require.NoError(t, e.Delete(t.Context(), ""))
		_, err = e.leasing(3, 7).Assign(t.Context(), needOfMove())
		require.ErrorIs(t, err, worker.ErrOverlap)
		assert.ErrorContains(t, err, "claim 36 to 63 (First 36, Count 28)")
		small := needOfMove()
		small.MaxID = 5
		_, err = e.leasing(0, 0).Assign(t.Context(), small)
		require.ErrorIs(t, err, worker.ErrOverlap)
		assert.ErrorContains(t, err, "and the layout holds 0 to 5: take a layout with more")
		lease, err := e.leasing(0, 0).Assign(t.Context(), needOfMove())
		require.NoError(t, err)
		assert.Greater(t, lease.WorkerID(), int64(35), "the upper half of what is left")
		require.NoError(t, lease.Release(t.Context(), math.MinInt64))
		e.registerUpTo(35)
		_, err = e.Register(t.Context(), node("a"), needOfMove().MaxID)
		require.ErrorIs(t, err, worker.ErrOverlap)
		assert.ErrorContains(t, err, "another database")
	})
}

// Processes with leases, with keys, and Java's, which look for no rows, start in any order. No two
// have the same worker id, and none is refused, as long as half of the keys are left.
func TestOldAndNewProcessesSideBySide(t *testing.T) {
	baidu := uid.BaiduLayout().Need()
	for name, c := range map[string]struct {
		need   worker.Need
		keys   int // used before
		starts int // of Disposable and of Java, while others have leases
	}{
		"a layout of 22 bits, and a new table": {baidu, 0, 20},
		"a layout of 6 bits":                   {needOfMove(), 20, 10},
	} {
		t.Run(name, func(t *testing.T) {
			forDialects(t, func(t *testing.T, e env) {
				taken := map[int64]string{}
				takes := func(who string, id int64) {
					t.Helper()
					require.Empty(t, taken[id], "%s has worker id %d too", who, id)
					taken[id] = who
				}
				java := func() {
					t.Helper()
					e.insertLikeJava("java")
					key, err := e.number("SELECT MAX(ID) FROM WORKER_NODE")
					require.NoError(t, err)
					takes("Java", key)
				}
				assign := func(who string, a worker.Assigner) {
					t.Helper()
					lease, err := a.Assign(t.Context(), c.need)
					require.NoError(t, err)
					t.Cleanup(func() { lease.Release(context.Background(), math.MinInt64) })
					takes(who, lease.WorkerID())
				}
				for range c.keys {
					java()
				}
				assign("Leased", e.leasing(0, 0))
				for range c.starts {
					java()
					assign("Disposable", worker.Disposable(e.Store))
				}
				assign("Leased", e.leasing(0, 0))
			})
		})
	}
}

// Of worker ids that a claim names, the log says when they will be keys, unless they are of those
// that a claim without names takes.
func TestNamedWorkerIDsAboveTheKeys(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		e.registerUpTo(2)
		var log lines
		for _, first := range []int64{33, 5} { // of 3 to 63, the upper half is taken
			c := claims(first, first+4)
			c.Logger = slog.New(slog.NewTextHandler(&log, nil))
			lease, err := worker.Leased(e.Store, c).Assign(t.Context(), needOfMove())
			require.NoError(t, err)
			log.has(t, "worker id leased")
			require.NoError(t, lease.Release(t.Context(), math.MinInt64))
		}
		assert.Equal(t, 1, log.has(t, "starts_until_then=2 first=5 last=9"))
		assert.Equal(t, 1, log.has(t, "starts_until_then"))
	})
}

// Of a process that takes a key and one that creates a row at the same moment, at most one
// gets the worker id.
func TestKeysAndPoolsAtOnce(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		both := 0
		for range 8 {
			e.inited()
			var all errgroup.Group
			var taken, leased atomic.Int64
			all.Go(func() error {
				lease, err := e.leasing(1, 1).Assign(t.Context(), needOfMove())
				if err == nil {
					leased.Store(lease.WorkerID())
					return lease.Release(t.Context(), 0)
				}
				return unless(err, worker.ErrOverlap)
			})
			all.Go(func() error {
				id, err := e.Register(t.Context(), node("a"), needOfMove().MaxID)
				taken.Store(id)
				return unless(err, worker.ErrOverlap)
			})
			require.NoError(t, all.Wait())
			require.False(t, leased.Load() == 1 && taken.Load() == 1, "both have worker id 1")
			if leased.Load() == 0 && taken.Load() == 0 {
				both++
			}
			e.exec("DROP TABLE IF EXISTS uid_lease", "DROP TABLE IF EXISTS uid_lease_head",
				"DROP TABLE WORKER_NODE")
		}
		t.Logf("both refused %d times", both)
	})
}

func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
