package uid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// succession is an assigner that hands out one lease after the other, and an
// error when there is none.
type succession struct {
	mu     sync.Mutex
	leases []*testLease
}

func (s *succession) Assign(context.Context, worker.Need) (worker.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.leases) == 0 {
		return nil, worker.ErrAllHeld
	}
	l := s.leases[0]
	s.leases = s.leases[1:]
	return l, nil
}

func (s *succession) add(l *testLease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leases = append(s.leases, l)
}

func granted(from, until int64) *testLease {
	return &testLease{id: 7, lo: bubbleStart.Unix() + from, hi: bubbleStart.Unix() + until}
}

func TestWhyThereIsNoOtherWorkerID(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		l := granted(0, 60)
		next := &succession{leases: []*testLease{l}}
		g, err := open(next, testConfig())
		require.NoError(t, err)
		defer g.Close()
		l.lose(worker.ErrFenced)
		synctest.Wait()
		err = ready(t, g)
		require.ErrorIs(t, err, ErrLeaseLost)
		require.ErrorIs(t, err, worker.ErrFenced)
		require.ErrorIs(t, err, worker.ErrAllHeld, "why there is no other")
		assert.False(t, isClosed(g.Done()), "another may be had")
		next.add(granted(100, 160))
		time.Sleep(time.Minute)
		take(t, g, 1)
	})
}

func TestWaitersLearnThatTheLeaseIsLost(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		l := granted(0, 0)
		c := testConfig()
		c.OnLeaseLost = policy.GiveUp
		log := logTo(&c)
		g, err := open(l, c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 16)
		assert.False(t, g.Stats().LeaseLost)
		answer := make(chan error)
		go func() {
			_, err := g.GetUIDContext(t.Context())
			answer <- err
		}()
		time.Sleep(1500 * time.Millisecond) // it has looked at the lease, and will again at 2 s
		began := time.Now()
		l.lose(worker.ErrFenced)
		assert.ErrorIs(t, <-answer, ErrLeaseLost)
		assert.Zero(t, time.Since(began))
		assert.True(t, g.Stats().LeaseLost)
		require.NoError(t, g.Close())
		assert.False(t, g.Stats().LeaseLost, "given back")
		assert.Contains(t, log.String(), "no more ids")
	})
}

// A take that waits for a grant is woken when there is more.
func TestAWaitForAGrantLooksSeldom(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		var looks atomic.Int64
		c := testConfig()
		c.Now = func() time.Time { looks.Add(1); return time.Now() }
		l := granted(0, 0)
		g, err := open(l, c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 16)
		assert.True(t, bubbleStart.Add(time.Second).Equal(g.Stats().GrantedUntil))
		looks.Store(0)
		time.AfterFunc(30500*time.Millisecond, func() { l.set(func() { l.hi += 60 }) })
		_, err = g.GetUIDContext(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 30500*time.Millisecond, time.Since(bubbleStart))
		assert.Less(t, looks.Load(), int64(5*30))
	})
}

// The rest of a tick in which a worker id was given up is not handed out, for as long as
// the tick lasts.
func TestATickEndsWithItsWorkerId(t *testing.T) {
	for name, c := range map[string]struct {
		full  policy.TickFull
		takes int
	}{
		"fails at once":           {policy.FailNow, 1},
		"would wait for too long": {policy.WaitNext, 15},
		"there was no rest":       {policy.FailNow, 16},
	} {
		for end, give := range map[string]func(*testLease, *DefaultGenerator){
			"lost":     func(l *testLease, _ *DefaultGenerator) { l.lose(worker.ErrDeleted) },
			"fenced":   func(l *testLease, _ *DefaultGenerator) { l.lose(worker.ErrFenced) },
			"restored": func(_ *testLease, g *DefaultGenerator) { g.AfterRestore() },
		} {
			t.Run(name+"/"+end, func(t *testing.T) {
				first, second := granted(0, math.MaxInt32), granted(0, math.MaxInt32)
				first.id, second.id = 2, 9
				config := testConfig()
				config.Layout.Unit, config.TickFull = time.Hour, c.full
				for _, l := range []*testLease{first, second} {
					l.lo, l.hi = 0, math.MaxInt64
				}
				defaultInBubble(t, &succession{leases: []*testLease{first, second}}, config,
					func(t *testing.T, g *DefaultGenerator) {
						last := take(t, g, c.takes)[c.takes-1]
						give(first, g)
						synctest.Wait()
						_, err := g.GetUID()
						require.ErrorIs(t, err, ErrTickFull)
						assert.ErrorContains(t, err,
							"none of its 16 ids is left; the next ones come at 2000-01-01T01:00:00Z")
						time.Sleep(time.Hour)
						assert.Greater(t, take(t, g, 16)[0], last, "the next tick has all of its own")
					})
			})
		}
	}
}

// stuckLease is of a store that does not answer.
type stuckLease struct{ *testLease }

func (l stuckLease) Release(ctx context.Context, _ int64) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

// Close waits four seconds for the store, also when another lease is being given back.
func TestCloseWaitsForTheStoreOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := granted(0, math.MaxInt32), granted(0, math.MaxInt32)
		leases := &answers{leases: []worker.Lease{stuckLease{first}, stuckLease{second}}}
		g, err := newCached(t.Context(), leases, testConfig())
		require.NoError(t, err)
		first.lose(worker.ErrDeleted)
		synctest.Wait()
		require.Empty(t, leases.leases, "the first is being released")
		begin := time.Now()
		err = g.Close()
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "releasing worker id 7")
		assert.Equal(t, closeTime, time.Since(begin))
	})
}

// deafLease is of a store whose calls do not look at their context.
type deafLease struct {
	*testLease
	answer chan struct{}
}

func (l deafLease) Release(context.Context, int64) error {
	<-l.answer
	return nil
}

func TestCloseDoesNotWaitForAStoreThatNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := deafLease{granted(0, math.MaxInt32), make(chan struct{})}
		g, err := newCached(t.Context(), &answers{leases: []worker.Lease{l}}, testConfig())
		require.NoError(t, err)
		defer close(l.answer)
		begin := time.Now()
		require.ErrorIs(t, g.Close(), context.DeadlineExceeded)
		assert.Less(t, time.Since(begin), 6*time.Second)
	})
}

// The lease merely ended: what it granted is handed out while another worker id
// is asked for.
func TestNoIdIsWastedWhenALeaseThatEndedIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := granted(0, 3), granted(0, math.MaxInt32)
		second.id = 8
		leases := &succession{leases: []*testLease{first, second}}
		c := testConfig()
		log := logTo(&c)
		g, err := newCached(t.Context(), leases, c)
		require.NoError(t, err)
		defer g.Close()
		assert.Equal(t, bubbleStart.Add(4*time.Second), g.Stats().GrantedUntil)
		first.lose(errors.New("the rows are gone"))
		synctest.Wait()
		got := seconds(t, take(t, g, 16*5))
		assert.EqualValues(t, 0, got[0])
		assert.EqualValues(t, 3, got[63], "all that the first granted")
		assert.EqualValues(t, 4, got[64], "and on")
		assert.EqualValues(t, 2, g.Stats().Leases)
		assert.Zero(t, g.Stats().Rollbacks)
		assert.Contains(t, log.String(), "lost the worker id; acquiring another")
		assert.Contains(t, log.String(), "acquired another worker id")
	})
}

// restoring is a lease that finds out by itself that its machine was restored.
type restoring struct {
	*testLease
	times atomic.Int64
}

func (l *restoring) Assign(context.Context, worker.Need) (worker.Lease, error) { return l, nil }

func (l *restoring) Restores() int64 { return l.times.Load() }
func (l *restoring) AfterRestore()   { l.times.Add(1) }

// refusals is an assigner that gives one lease, and then answers with a reason, another one
// after a minute, and the number of the attempt.
type refusals struct {
	first    *testLease
	attempts int
}

func (r *refusals) Assign(ctx context.Context, _ worker.Need) (worker.Lease, error) {
	switch r.attempts++; r.attempts {
	case 1:
		return r.first, nil
	case 500:
		<-ctx.Done() // far too many
	}
	why := "the store does not answer"
	if time.Since(bubbleStart) > time.Minute {
		why = "all are held"
	}
	return nil, fmt.Errorf("%s, attempt %d", why, r.attempts)
}

// That there is no other worker id is logged once, and once more when the reason is
// another one: not the first reason for ever, and not a line for each attempt.
func TestAMissingWorkerIdIsLoggedAgainWhenTheReasonChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		log := logTo(&c)
		r := &refusals{first: granted(0, 10)}
		g, err := newCached(t.Context(), r, c)
		require.NoError(t, err)
		defer g.Close()
		r.first.set(func() { r.first.err = worker.ErrFenced })
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		for _, why := range []string{"the store does not answer", "all are held"} {
			assert.Equal(t, 1, strings.Count(log.String(), "cannot acquire another worker id; retrying\" "+
				"reason=\"uid: no worker id: "+why), log)
		}
		assert.Greater(t, r.attempts, 10*60/5)
		assert.Less(t, r.attempts, 10*60/5+20, "every five seconds, after a few that come sooner")
	})
}
