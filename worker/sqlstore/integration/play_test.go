package integration

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// A play has generators that use up all that they are granted, while somebody does something
// to their store. Each id is kept, and none may come twice.
type play struct {
	t     *testing.T
	claim worker.Claim
	all   []*minter
}

func newPlay(t *testing.T) *play {
	return &play{t: t, claim: worker.Claim{TTL: 700 * time.Millisecond, Timeout: 10 * time.Second,
		Slack: 100 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}}
}

// layoutOfPlay has few ids in a tick, so that a window is soon used up.
func layoutOfPlay() uid.Layout {
	return uid.Layout{Epoch: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Unit: 10 * time.Millisecond,
		TimeBits: 45, WorkerBits: 8, SeqBits: 4}
}

var poolOfPlay = store.Pool{Layout: layoutOfPlay().Need().Fingerprint, Unit: layoutOfPlay().Unit}

// minter is a process: a generator, and a goroutine that takes ids from it.
type minter struct {
	*sqlstore.Store // its own way to the database
	cut             atomic.Bool
	last            atomic.Int64 // the tick of its last id

	ids  []uid.ID
	stop context.CancelFunc
	done sync.WaitGroup
}

var errCut = errors.New("the process has crashed")

func (m *minter) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	if m.cut.Load() {
		return store.View{}, errCut
	}
	return m.Store.View(ctx, p, first, last)
}

func (m *minter) Write(ctx context.Context, w store.Write) (bool, error) {
	if m.cut.Load() {
		return false, errCut
	}
	return m.Store.Write(ctx, w)
}

// joins adds minters that have connections of their own.
func (p *play) joins(e env, n int) (joined []*minter) {
	for range n {
		ctx, cancel := context.WithCancel(context.Background())
		m := &minter{Store: e.again().Store, stop: cancel}
		m.last.Store(math.MinInt64)
		p.all = append(p.all, m)
		joined = append(joined, m)
		p.t.Cleanup(m.end)
		m.done.Go(func() { m.run(ctx, p.claim) })
	}
	return joined
}

func (m *minter) run(ctx context.Context, c worker.Claim) {
	config := uid.Config{Layout: layoutOfPlay(), Logger: c.Logger}
	for ctx.Err() == nil {
		g, err := uid.NewCached(ctx, worker.Leased(m, c), config)
		if err != nil {
			rest(ctx)
			continue
		}
		for ctx.Err() == nil {
			id, err := g.GetUIDContext(ctx)
			if err != nil {
				rest(ctx)
				continue
			}
			m.ids = append(m.ids, id)
			parts, _ := config.Layout.Parse(id)
			m.last.Store(poolOfPlay.TickAt(parts.Time))
		}
		_ = g.Close() // of a process that has crashed, it gives nothing back
	}
}

func rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Millisecond):
	}
}

func (m *minter) end() {
	m.stop()
	m.done.Wait()
}

// crash ends it without giving its worker id back.
func (m *minter) crash() {
	m.cut.Store(true)
	m.end()
}

// goOn waits until minters have come further than anything that any was granted until now, by
// half a second.
func (p *play) goOn(what string, minters ...*minter) {
	p.t.Helper()
	granted := int64(math.MinInt64)
	for _, m := range p.all {
		granted = max(granted, m.last.Load())
		if v, err := m.Store.View(p.t.Context(), poolOfPlay, 0, 255); err == nil {
			for _, r := range v.Rows {
				if !r.Renewed.IsZero() {
					granted = max(granted, r.High)
				}
			}
		}
	}
	require.Eventually(p.t, func() bool {
		return !slices.ContainsFunc(minters, func(m *minter) bool { return m.last.Load() <= granted+50 })
	}, 2*time.Minute, 5*time.Millisecond, what)
}

// duplicates ends all minters, and returns the ids that came more than once.
func (p *play) duplicates() (twice []uid.ID) {
	p.t.Helper()
	var ids []uid.ID
	for _, m := range p.all {
		m.end()
		assert.True(p.t, slices.IsSorted(m.ids), "what one generator gives grows")
		ids = append(ids, m.ids...)
	}
	require.NotEmpty(p.t, ids)
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			twice = append(twice, ids[i])
		}
	}
	p.t.Logf("%d ids of %d generators, %d of them twice", len(ids), len(p.all), len(twice))
	return twice
}

// Deleting is safe at any time.
func TestDeletingUnderHolders(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		p := newPlay(t)
		holders := p.joins(e, 3)
		p.goOn("the first ids", holders...)
		for _, do := range [][]string{
			{"DELETE FROM uid_lease WHERE worker_id = (SELECT id FROM (SELECT MIN(worker_id) AS id " +
				"FROM uid_lease WHERE renewed_ms IS NOT NULL) held)"},
			{"DELETE FROM uid_lease WHERE worker_id >= 0"},
			{"DELETE FROM uid_lease_head WHERE floor_tick > 0"},
			{"DROP TABLE uid_lease", "DROP TABLE uid_lease_head"},
			{"DROP TABLE uid_lease_head"},
			{"DELETE FROM uid_lease WHERE worker_id >= 0"},
		} {
			e.exec(do...)
			p.goOn(do[0], holders...)
		}
		assert.Empty(t, p.duplicates())
	})
}

// Two services that know nothing of each other share the worker ids.
func TestTwoServicesWithOneLayout(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		p := newPlay(t)
		p.claim = worker.Claim{Logger: p.claim.Logger}
		all := append(p.joins(e, 2), p.joins(e.again(), 2)...)
		for range 4 {
			p.goOn("all mint", all...)
		}
		assert.Empty(t, p.duplicates())
	})
}

// A backup is restored beside holders that live and one that was killed. The server that
// serves it has started since, so it grants nothing below what may have been lost.
func TestBackupRestoredUnderHolders(t *testing.T) {
	forEachServer(t, func(t *testing.T, e env) {
		for _, headToo := range []bool{true, false} {
			p := newPlay(t)
			holders := p.joins(e, 3)
			p.goOn("the first ids", holders...)
			e.server.Stop()
			restore := e.server.Snapshot()
			e.server.Start()
			p.goOn("more than the backup has", holders...)
			holders[0].crash()
			e.server.Kill()
			restore()
			e.server.Start()
			drain(t, e.db)
			if !headToo {
				e.exec("DELETE FROM uid_lease_head WHERE floor_tick > 0")
			}
			p.goOn("the backup serves", append(holders[1:], p.joins(e, 2)...)...)
			assert.Empty(t, p.duplicates())
		}
	}, testserver.Durable())
}

// A file that takes the place of another is another incarnation, also when it gets the number
// that the file system had given to the one that was removed.
func TestFileRestoredUnderHolders(t *testing.T) {
	for name, replace := range map[string]func(t *testing.T, from, to string){
		"renamed": func(t *testing.T, from, to string) { require.NoError(t, os.Rename(from, to)) },
		"removed and copied": func(t *testing.T, from, to string) {
			content, err := os.ReadFile(from)
			require.NoError(t, err)
			require.NoError(t, os.Remove(to))
			require.NoError(t, os.WriteFile(to, content, 0o600))
		},
	} {
		for _, alive := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "w.db")
				e := open(t, "sqlite", sqlstore.SQLiteDSN(path), nil)
				p := newPlay(t)
				holders := p.joins(e, 3)
				p.goOn("the first ids", holders...)
				e.exec("VACUUM INTO '" + path + ".backup'")
				p.goOn("more than the backup has", holders...)
				before := e.incarnation(t)
				if !alive {
					for _, m := range holders {
						m.crash()
					}
					e.db.Close()
				}
				replace(t, path+".backup", path)
				restored := e.again()
				assert.NotEqual(t, before, restored.incarnation(t))
				p.goOn("the backup serves", p.joins(restored, 3)...)
				assert.Empty(t, p.duplicates())
			})
		}
	}
}

// Rows that do not begin ahead of the clock give ids twice, or the plays would prove nothing.
func TestPlaysFindDuplicates(t *testing.T) {
	e := onSQLite(t)
	p := newPlay(t)
	p.claim.First, p.claim.Last = 1, 1
	holder := p.joins(e, 1)[0]
	p.goOn("the first ids", holder)
	holder.crash()
	require.NoError(t, e.Delete(t.Context(), ""))
	e.makes(poolOfPlay, 1, 1)
	p.goOn("the others", p.joins(e, 1)...)
	assert.NotEmpty(t, p.duplicates())
}

// The first id of a new file comes soon.
func TestFirstIDOfAFile(t *testing.T) {
	layout := uid.Layout{Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Millisecond,
		TimeBits: 41, WorkerBits: 10, SeqBits: 12}
	var took []time.Duration
	for range 5 {
		e := onSQLite(t)
		begin := time.Now()
		g, err := uid.NewCached(t.Context(), worker.Leased(e.Store, worker.Claim{}),
			uid.Config{Layout: layout, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		_, err = g.GetUID()
		require.NoError(t, err)
		took = append(took, time.Since(begin))
		require.NoError(t, g.Close())
	}
	t.Log(took)
	assert.Less(t, slices.Min(took), 1500*time.Millisecond)
}
