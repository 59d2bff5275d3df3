package uid

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/internal/leaks"
	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	epoch.Move()
	os.Exit(leaks.Run(m))
}

// trusting makes a default generator that goes by the monotonic clock alone for so long.
func trusting(t testing.TB, a worker.Assigner, c settings,
	maxSegment time.Duration) *DefaultGenerator {
	g, err := newDefault(context.Background(), a, c)
	require.NoError(t, err)
	g.conf.maxSegment, g.conf.spread = maxSegment, 0 // no segment was opened yet
	return g
}

// setClock is a clock that runs on as time does, plus what a test has set it forward or back.
type setClock struct{ offset atomic.Int64 }

func (c *setClock) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

func (c *setClock) step(by time.Duration) { c.offset.Add(int64(by)) }

// over is a context that has ended: a take with it does not wait.
func over() context.Context {
	ctx, end := context.WithCancel(context.Background())
	end()
	return ctx
}

// underRace is how many to do: fewer with the race detector, which needs a few of a
// kind to see a race. make test runs the tests that count much without it, too.
func underRace(n, fewer int) int {
	if race.Enabled {
		return fewer
	}
	return n
}

// testLayout begins before synctest's clock does, and has short ticks so that
// tests see many of them.
var testLayout = Layout{
	Epoch:    time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC),
	Unit:     time.Second,
	TimeBits: 31, WorkerBits: 22, SeqBits: 4,
}

func testConfig() settings {
	return settings{Layout: testLayout, Logger: slog.New(slog.DiscardHandler), AllowRepeats: true}
}

// ringConfig returns testConfig with which all ids come from a ring that is kept full.
func ringConfig() settings {
	c := testConfig()
	c.MaxLag = -1
	return c
}

// fill fills the ring, and keeps it full, as a burst does. It is called in a bubble.
func fill(g *CachedGenerator) {
	g.mint.padder.Do(func() { g.mint.pays = true })
	g.mint.padder.Wake()
	synctest.Wait()
}

// cached makes a generator that is closed when the test ends.
func cached(t testing.TB, a worker.Assigner, c settings) *CachedGenerator {
	g, err := newCached(context.Background(), a, c)
	require.NoError(t, err)
	t.Cleanup(func() { g.Close() })
	return g
}

// seconds returns the ticks of ids, in seconds since synctest's clock began, of
// ids of testLayout.
func seconds(t testing.TB, ids []ID) (s []int64) {
	for _, id := range ids {
		p, err := testLayout.Parse(id)
		require.NoError(t, err)
		s = append(s, p.Time.Unix()-bubbleStart.Unix())
	}
	return s
}

var bubbleStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// inBubble runs a test with a cached generator of testLayout under a fake clock.
func inBubble(t *testing.T, c settings, test func(t *testing.T, g *CachedGenerator)) {
	synctest.Test(t, func(t *testing.T) {
		g, err := newCached(t.Context(), worker.Static(3), c)
		require.NoError(t, err)
		defer g.Close()
		test(t, g)
	})
}

// generator is what both generators have in common.
type generator interface {
	GetUID() (ID, error)
	GetUIDContext(ctx context.Context) (ID, error)
	AppendUIDs(dst []ID, n int) ([]ID, error)
	AppendUIDsContext(ctx context.Context, dst []ID, n int) ([]ID, error)
	ParseUID(ID) (Parts, error)
	Layout() Layout
	Ready() error
	Done() <-chan struct{}
	Stats() Stats
	AfterRestore()
	Close() error
	base() *core
}

func (k *core) base() *core { return k }

// take takes n ids one by one and then lets the padder do its work.
func take(t testing.TB, g generator, n int) (ids []ID) {
	for range n {
		id, err := g.GetUID()
		if err != nil { // asked first: require is a hundred times as slow as a take
			require.NoError(t, err)
		}
		ids = append(ids, id)
	}
	return ids
}

// testLease is a lease whose grant a test moves.
type testLease struct {
	mu       sync.Mutex
	id       int64
	lo, hi   int64
	err      error
	wanted   int64
	released []int64
	changed  broadcast.Signal
}

func (l *testLease) Assign(context.Context, worker.Need) (worker.Lease, error) { return l, nil }

func (*testLease) Take(worker.Need) error     { return nil }
func (l *testLease) WorkerID() int64          { return l.id }
func (l *testLease) Class() worker.Class      { return worker.Fenced }
func (l *testLease) Changed() <-chan struct{} { return l.changed.Next() }
func (l *testLease) AfterRestore()            {}
func (l *testLease) Restores() int64          { return 0 }

func (l *testLease) Grant() (lo, hi int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lo, l.hi
}

func (l *testLease) Want(tick int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wanted = max(l.wanted, tick)
}

func (l *testLease) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *testLease) Release(ctx context.Context, last int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.released = append(l.released, last)
	return ctx.Err()
}

func (l *testLease) asked() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wanted
}

func (l *testLease) lose(why error) { l.set(func() { l.err = why }) }

func (l *testLease) set(change func()) {
	l.mu.Lock()
	change()
	l.mu.Unlock()
	l.changed.Send()
}

// logTo sends a generator's log to a buffer that is read after a pause.
func logTo(c *settings) *bytes.Buffer {
	var b bytes.Buffer
	c.Logger = slog.New(slog.NewTextHandler(&b, nil))
	return &b
}
