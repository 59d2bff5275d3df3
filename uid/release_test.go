package uid

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// A lease that ended, and was not fenced, may be used up: while another worker id
// is asked for, ids are minted with the old one. It is given back when that is
// over, with a tick that none of them is above: whoever gets it then begins behind that.
func TestALostWorkerIdIsGivenBackWhenNothingIsMintedWithItAnyMore(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		first := &testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}
		second := granted(0, math.MaxInt32)
		second.id = 8
		released := func() []int64 {
			first.mu.Lock()
			defer first.mu.Unlock()
			return slices.Clone(first.released)
		}
		asked, answer := make(chan struct{}), make(chan struct{})
		nothing := func() {}
		a := &answers{leases: []worker.Lease{first, second}, before: []func(){nothing, func() {
			close(asked)
			<-answer
		}}}
		g, err := open(a, testConfig())
		require.NoError(t, err)
		defer g.Close()
		ids := take(t, g, 10)

		first.lose(errors.New("it expired"))
		<-asked // and nobody had to wait for the release
		ids = append(ids, take(t, g, 500)...)
		assert.Empty(t, released(), "ids are minted with it")
		close(answer)
		synctest.Wait()
		require.Len(t, released(), 1, "the old one was given back")
		ids = append(ids, take(t, g, 500)...)
		highest := map[int64]int64{} // tick of each worker id
		for _, id := range ids {
			p, err := g.ParseUID(id)
			require.NoError(t, err)
			highest[p.Worker] = max(highest[p.Worker], p.Time.Unix())
		}
		assert.Len(t, highest, 2)
		assert.LessOrEqual(t, highest[7], released()[0])
		distinct(t, ids)
	})
}

// answers is an assigner that does something before each of its leases arrives, unless
// that is nil.
type answers struct {
	leases []worker.Lease
	before []func()
}

func (a *answers) Assign(context.Context, worker.Need) (worker.Lease, error) {
	l := a.leases[0]
	a.leases = a.leases[1:]
	if len(a.before) > 0 {
		before := a.before[0]
		a.before = a.before[1:]
		if before != nil {
			before()
		}
	}
	return l, nil
}

// slowLease is one whose store takes its time for a release.
type slowLease struct {
	*testLease
	takes time.Duration
}

func (l *slowLease) Release(ctx context.Context, last int64) error {
	time.Sleep(l.takes)
	return l.testLease.Release(ctx, last)
}

// Nothing waits for the release of the old worker id but Close, which gives back
// both.
func TestCloseWaitsForTheReleaseOfALostWorkerIdToo(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		first := &slowLease{granted(0, math.MaxInt32), 4 * time.Second}
		second := &slowLease{granted(0, math.MaxInt32), 2 * time.Second}
		second.id = 8
		g, err := open(&answers{leases: []worker.Lease{first, second}}, testConfig())
		require.NoError(t, err)
		take(t, g, 1)
		first.lose(worker.ErrFenced)
		synctest.Wait()
		p, err := g.ParseUID(take(t, g, 1)[0])
		require.NoError(t, err)
		assert.EqualValues(t, 8, p.Worker)
		assert.LessOrEqual(t, time.Since(bubbleStart), time.Second, "at once, or in the next tick")
		require.NoError(t, g.Close())
		assert.Len(t, first.released, 1)
		assert.Len(t, second.released, 1)
	})
}

// A worker id that is on its way when the generator closes is given back, and Close waits for it.
func TestAWorkerIdThatArrivesAtCloseIsGivenBack(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		first, second := granted(0, math.MaxInt32), granted(0, math.MaxInt32)
		answer := make(chan struct{})
		g, err := open(&answers{leases: []worker.Lease{first, second},
			before: []func(){nil, func() { <-answer }}}, testConfig())
		require.NoError(t, err)
		first.lose(errors.New("it expired"))
		synctest.Wait()
		closed := make(chan error)
		go func() { closed <- g.Close() }()
		synctest.Wait()
		close(answer)
		require.NoError(t, <-closed)
		assert.Len(t, first.released, 1)
		assert.Len(t, second.released, 1)
	})
}

// A worker id that cannot be used goes back, whatever it is that is wrong with it.
func TestAWorkerIdThatIsLostAtOnceIsGivenBack(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		l := granted(0, 1)
		l.err = worker.ErrFenced
		_, err := open(l, testConfig())
		require.ErrorIs(t, err, ErrLeaseLost)
		assert.Equal(t, []int64{math.MinInt64}, l.released)
	})
}

// A lease that finds out by itself that its machine was restored counts it together with
// the grant: nothing of what it gave up is handed out.
func TestWhatALeaseGivesUpByItselfIsFlushed(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		l := &restoring{testLease: granted(0, 9000)}
		c := testConfig()
		c.MaxLag = -1 // what is not flushed is handed out
		g, err := open(l, c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 3)
		l.set(func() {
			l.times.Add(1)
			l.lo += 1000
		})
		time.Sleep(2000 * time.Second) // the default generator's time
		for _, s := range seconds(t, take(t, g, 200)) {
			require.GreaterOrEqual(t, s, int64(1000))
		}
		assert.EqualValues(t, 1, g.Stats().Leases, "the worker id is still its own")
		dropped := g.Stats().Dropped
		l.set(func() { l.hi++ })
		synctest.Wait()
		assert.Equal(t, dropped, g.Stats().Dropped, "once")
	})
}

// Takes are halfway when their generator closes, and the next one begins right above what it gave
// back: no id comes twice, no take that begins after Close has returned gets one, and the ring is
// empty. Ready and another Close may be called at any moment, too.
func TestCloseBesideTakes(t *testing.T) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			c := testConfig()
			c.Layout = Layout{Epoch: testLayout.Epoch, Unit: time.Millisecond, TimeBits: 45, WorkerBits: 8,
				SeqBits: 10}
			var mu sync.Mutex
			var all []ID
			lo := int64(math.MinInt64)
			for i := range underRace(1000, 150) {
				l := &testLease{id: 3, lo: lo, hi: math.MaxInt64}
				g, err := open(t.Context(), l, c)
				require.NoError(t, err)
				var closed atomic.Bool
				var takers sync.WaitGroup
				for way := range 4 {
					taker := taker(g)
					if cached, ok := g.(*CachedGenerator); ok && way == 0 {
						taker = cached.Stream()
					}
					takers.Go(func() {
						var ids []ID
						for {
							late := closed.Load()
							id, err := taker.GetUID()
							if err != nil {
								assert.ErrorIs(t, err, ErrClosed)
								break
							}
							assert.False(t, late, "an id of a generator that is closed")
							ids = append(ids, id)
							runtime.Gosched()
						}
						mu.Lock()
						defer mu.Unlock()
						all = append(all, ids...)
					})
				}
				for range i % 30 {
					_ = g.Ready()
				}
				takers.Go(func() { assert.NoError(t, g.Close()) })
				require.NoError(t, g.Close())
				closed.Store(true)
				takers.Wait()
				assert.Zero(t, g.Stats().Left)
				if last := l.released[0]; last > math.MinInt64 { // which stands for none
					lo = last + 1
				}
			}
			taken := len(all)
			slices.Sort(all)
			assert.Equal(t, taken, len(slices.Compact(all)))
		})
	}
}

// The layout's first tick is one that was used, as any other. None is one, too.
func TestTheFirstTickOfAllIsGivenBack(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c := testConfig()
		c.Layout.Epoch = bubbleStart
		for n, last := range map[int]int64{0: math.MinInt64, 1: bubbleStart.Unix()} {
			l := granted(0, math.MaxInt32)
			g, err := open(l, c)
			require.NoError(t, err)
			take(t, g, n)
			require.NoError(t, g.Close())
			assert.Equal(t, []int64{last}, l.released)
		}
	})
}
