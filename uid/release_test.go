package uid

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// userStore is a store that a user wrote: who gets a worker id begins above the last tick
// that its holder before gave back. There are two.
type userStore struct {
	mu   sync.Mutex
	free map[int64]int64 // worker ids, and the first tick
}

// userLease is a lease of the userStore.
type userLease struct {
	*testLease
	o    *userStore
	once sync.Once
}

func newUserStore(ids ...int64) *userStore {
	o := &userStore{free: map[int64]int64{}}
	for _, id := range ids {
		o.free[id] = math.MinInt64
	}
	return o
}

func (o *userStore) Assign(context.Context, worker.Need) (worker.Lease, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, lo := range o.free {
		delete(o.free, id)
		return &userLease{testLease: &testLease{id: id, lo: lo, hi: math.MaxInt64}, o: o}, nil
	}
	return nil, worker.ErrAllHeld
}

func (p *userLease) Release(ctx context.Context, last int64) error {
	p.once.Do(func() {
		_ = p.testLease.Release(ctx, last)
		p.o.mu.Lock()
		defer p.o.mu.Unlock()
		p.o.free[p.id] = max(p.lo, last+1)
	})
	return nil
}

// A lease that ended, and was not fenced, may be used up: while another worker id
// is asked for, ids are minted with the old one. It is given back when that is
// over, and whoever gets it then begins above them.
func TestALostWorkerIdIsGivenBackWhenNothingIsMintedWithItAnyMore(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, Config) (Generator, error)) {
		o := newUserStore(7)
		l, err := o.Assign(t.Context(), worker.Need{})
		require.NoError(t, err)
		first := l.(*userLease)
		second := granted(0, math.MaxInt32)
		second.id = 8
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

		first.set(func() { first.err = errors.New("it expired") })
		<-asked // and nobody had to wait for the release
		ids = append(ids, take(t, g, 500)...)
		next, err := open(o, testConfig())
		if err == nil { // it was given back
			ids = append(ids, take(t, next, 500)...)
			ids = append(ids, take(t, g, 500)...)
			require.NoError(t, next.Close())
		}
		close(answer)
		synctest.Wait()
		ids = append(ids, take(t, g, 500)...)
		next, err = open(o, testConfig())
		require.NoError(t, err, "the old one was given back")
		defer next.Close()
		ids = append(ids, take(t, next, 500)...)
		seen := map[ID]bool{}
		for _, id := range ids {
			assert.False(t, seen[id], "%d twice", id)
			seen[id] = true
		}
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
		before()
	}
	return l, nil
}

// slowLease is one whose store takes its time for a release.
type slowLease struct{ *testLease }

func (l *slowLease) Release(ctx context.Context, last int64) error {
	time.Sleep(3 * time.Second)
	return l.testLease.Release(ctx, last)
}

// Nothing waits for the release of the old worker id but Close, which gives back
// both.
func TestCloseWaitsForTheReleaseOfALostWorkerIdToo(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, Config) (Generator, error)) {
		first, second := &slowLease{granted(0, math.MaxInt32)}, &slowLease{granted(0, math.MaxInt32)}
		second.id = 8
		g, err := open(&answers{leases: []worker.Lease{first, second}}, testConfig())
		require.NoError(t, err)
		take(t, g, 1)
		first.set(func() { first.err = worker.ErrFenced })
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

// A worker id that cannot be used goes back, whatever it is that is wrong with it.
func TestAWorkerIdThatIsLostAtOnceIsGivenBack(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, Config) (Generator, error)) {
		l := granted(0, 1)
		l.err = worker.ErrFenced
		_, err := open(l, testConfig())
		require.ErrorIs(t, err, ErrLeaseLost)
		assert.Equal(t, []int64{math.MinInt64}, l.released)
	})
}

// The keeper of a store shows what is left and then counts. Whatever order a lease
// has, nothing of what it gave up is handed out once both are to be seen.
func TestARestoreIsFlushedInWhateverOrderItIsTold(t *testing.T) {
	from, until := bubbleStart.Unix()+1000, bubbleStart.Unix()+9000
	count := func(l *restoring) { l.set(func() { l.times.Add(1) }) }
	shrink := func(l *restoring) { l.set(func() { l.lo = from }) }
	vanish := func(l *restoring) { l.set(func() { l.lo, l.hi = 0, -1 }) }
	regrant := func(l *restoring) { l.set(func() { l.lo, l.hi = from, until }) }
	for name, steps := range map[string][]func(*restoring){
		"shown first":                 {shrink, count},
		"counted first":               {count, shrink},
		"shown as none, then counted": {vanish, count, regrant},
		"counted, then shown as none": {count, vanish, regrant},
	} {
		t.Run(name, func(t *testing.T) {
			eachKind(t, func(t *testing.T, open func(worker.Assigner, Config) (Generator, error)) {
				l := &restoring{testLease: granted(0, 9000)}
				c := testConfig()
				c.MaxLag = -1 // what is not flushed is handed out
				g, err := open(assigner(func() worker.Lease { return l }), c)
				require.NoError(t, err)
				defer g.Close()
				take(t, g, 3)
				for _, step := range steps {
					step(l)
					synctest.Wait() // it is followed each time
				}
				time.Sleep(2000 * time.Second) // the default generator's time
				ids := take(t, g, 200)
				for _, s := range seconds(t, ids) {
					require.GreaterOrEqual(t, s, int64(1000))
				}
				assert.EqualValues(t, 1, g.Stats().Leases, "the worker id is still its own")
			})
		})
	}
}
