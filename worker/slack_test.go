package worker

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// pools runs a test on stores with heads and without, on which nothing is yet. off is how far
// the store's clock is ahead.
func pools(t *testing.T, test func(t *testing.T, s *memory.Store, off *time.Duration)) {
	for _, server := range []string{"", "a server"} {
		t.Run(fmt.Sprintf("of %q", server), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var off time.Duration
				s := memory.NewAt(func() time.Time { return time.Now().Add(off) })
				s.Restart(server)
				test(t, s, &off)
			})
		})
	}
}

// claims takes one worker id in particular.
func claims(slack time.Duration, id int64) Claim {
	return Claim{First: id, Count: 1, Slack: slack, TTL: time.Second,
		Logger: slog.New(slog.DiscardHandler)}
}

// takes returns the first tick that a claim is granted, and crashes then.
func takes(t *testing.T, s store.Store, c Claim) (lo int64) {
	l := assign(t, Leased(s, c))
	lo, _ = l.Grant()
	l.(*held).cancel() // it crashes
	l.(*held).running.Wait()
	time.Sleep(2 * c.TTL)
	return lo
}

func slackOf(t *testing.T, s store.Store) time.Duration {
	v, err := s.View(t.Context(), need.pool(), 0, 9)
	require.NoError(t, err)
	return v.Slack
}

// Whoever creates a row or notices another server allows for as much as any process of the pool
// said: a process with a smaller slack, one without any, and an operator's command.
func TestTheSlackIsThePools(t *testing.T) {
	for _, slack := range []time.Duration{100 * time.Millisecond, 5 * time.Second, 30 * time.Second,
		-30 * time.Second} {
		first := slack > 0 // an operator's command is
		slack = slack.Abs()
		pools(t, func(t *testing.T, s *memory.Store, off *time.Duration) {
			takes(t, s, claims(slack, 1))
			require.Equal(t, slack, slackOf(t, s))
			command := claims(0, 2)
			_, err := Init(t.Context(), s, command, need)
			require.NoError(t, err)
			_, err = Steal(t.Context(), s, need, 1)
			require.NoError(t, err)
			assert.Equal(t, slack, slackOf(t, s), "a command adopts it")
			takes(t, s, claims(time.Millisecond, 1))
			assert.Equal(t, slack, slackOf(t, s), "a smaller one changes nothing")

			// A grant by a clock that is ahead by the slack; then the server fails over, or all rows of
			// the worker id are deleted.
			*off = slack
			l := assign(t, Leased(s, claims(time.Millisecond, 1)))
			_, hi := l.Grant()
			l.(*held).cancel()
			l.(*held).running.Wait()
			*off = 0
			if v, _ := s.View(t.Context(), need.pool(), 1, 1); v.Server != "" {
				s.Restart("another")
			}
			s.Edit(need.Fingerprint, 1, func(*store.Row) bool { return false })
			if first {
				_, err = Init(t.Context(), s, claims(0, 1), need)
				require.NoError(t, err)
			}
			assert.Greater(t, takes(t, s, claims(time.Millisecond, 1)), hi)
		})
	}
}

// Of two processes that disagree, the larger slack counts from the moment when it comes: also for
// rows that were opened, and floors that were raised, by the smaller one.
func TestALargerSlackRaisesThePools(t *testing.T) {
	const small, large = 100 * time.Millisecond, 30 * time.Second
	pools(t, func(t *testing.T, s *memory.Store, off *time.Duration) {
		takes(t, s, claims(large, 1)) // so that there is something to lose
		*off = large
		l := assign(t, Leased(s, claims(large, 1)))
		_, hi := l.Grant()
		l.(*held).cancel()
		l.(*held).running.Wait()
		*off = 0
		require.NoError(t, s.Delete(t.Context(), "")) // by hand, with the heads
		_, err := s.Forget(t.Context())
		require.NoError(t, err)
		_, err = Init(t.Context(), s, claims(small, 1), need)
		require.NoError(t, err)
		require.Equal(t, small, slackOf(t, s))
		assert.Greater(t, takes(t, s, claims(large, 1)), hi)
		assert.Equal(t, large, slackOf(t, s))
	})
}

// A process that says nothing allows for the default, and a command for what it is told.
func TestWhoRaisesThePoolsSlack(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, _ *time.Duration) {
		takes(t, s, claims(time.Millisecond, 1))
		takes(t, s, claims(0, 1))
		assert.Equal(t, grants.DefaultSlack, slackOf(t, s))
		_, err := Init(t.Context(), s, claims(30*time.Second, 2), need)
		require.NoError(t, err)
		assert.Equal(t, 30*time.Second, slackOf(t, s))
	})
}

// How long a server may grant alone is added to what the claim says of clocks.
func TestAServerThatGrantsAlone(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, _ *time.Duration) {
		lossy := through(func(ctx context.Context, call any) answer {
			a := ask(ctx, s, call)
			a.view.Alone = 5 * time.Second
			return a
		})
		begin := nowTick()
		assert.Equal(t, begin+60+7+1, takes(t, lossy, claims(2*time.Second, 1)))
		assert.Equal(t, 7*time.Second, slackOf(t, s))
		takes(t, s, claims(6*time.Second, 1))
		assert.Equal(t, 7*time.Second, slackOf(t, s), "one that does not know it adopts the sum")
	})
}

// A pool keeps the largest slack that any version brought: what is opened by it does not wrap.
func TestTheLargestSlackIsAhead(t *testing.T) {
	for slack, ticks := range map[time.Duration]int64{0: 0, 1: 1, time.Second: 1, time.Second + 1: 2,
		math.MaxInt64: math.MaxInt64/int64(time.Second) + 1} {
		assert.Equal(t, need.pool().Window()+ticks, grants.Ahead(need.pool(), slack))
	}
}

// A live holder learns of a larger slack like of a fail-over, and nobody is fenced.
func TestALargerSlackBesideHolders(t *testing.T) {
	pools(t, func(t *testing.T, s *memory.Store, _ *time.Duration) {
		c, e := claims(time.Millisecond, 1), &env{T: t, log: &logLines{}}
		c.TTL = time.Minute
		l := assign(t, Leased(s, c))
		defer l.Release(t.Context(), 0)
		larger := claims(30*time.Second, 2)
		larger.Logger = slog.New(slog.NewTextHandler(e.log, nil))
		takes(t, s, larger)
		if v, _ := s.View(t.Context(), need.pool(), 1, 1); v.Server != "" {
			assert.Contains(t, e.log.lines(slog.LevelWarn)[0], "was=1ms is=30s")
		}
		e.work(l, 3*time.Minute)
		require.NoError(t, l.Err())
		_, hi := l.Grant()
		assert.Greater(t, hi, nowTick())
		assert.Equal(t, 30*time.Second, slackOf(t, s))
	})
}
