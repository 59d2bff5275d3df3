package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/worker/store"
)

// The error says which time ended, and has the cause, not what the end made of the last attempt.
func TestTheErrorOfAStartSaysWhichTimeEnded(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.set(func(f *flaky) { f.down = true })
		_, err := s.patiently(20 * time.Second)
		require.ErrorIs(t, err, errDown)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "gave up after 20s, when the context of the start ended")

		time.AfterFunc(19*time.Second, func() { s.set(func(f *flaky) { f.lossy = true }) })
		_, err = s.patiently(20 * time.Second)
		require.ErrorIs(t, err, errDown, "the last call is cut off, which is no cause")

		s.set(func(f *flaky) { f.lossy = false })
		begin := time.Now()
		_, err = Leased(s.network(), s.claim).Assign(context.Background(), need)
		require.ErrorIs(t, err, errDown)
		assert.ErrorContains(t, err, "a start whose context has no deadline lasts 1m0s")
		assert.LessOrEqual(t, time.Since(begin), startFor+6*time.Second)

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(7*time.Second, cancel)
		begin = time.Now()
		_, err = Leased(s.network(), s.claim).Assign(ctx, need)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 7*time.Second, time.Since(begin), "a generator that is closed waits for it")
	})
}

func TestAStartFailsAtOnceWhereTimeDoesNotHelp(t *testing.T) {
	for _, last := range lasting {
		t.Run(last.Error(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin, failed := time.Now(), fmt.Errorf("%w: by a test", last)
				s := through(func(context.Context, any) answer { return answer{err: failed} })
				_, err := Leased(s, Claim{Logger: discard}).Assign(t.Context(), need)
				require.ErrorIs(t, err, last)
				_, err = Disposable(losing{answers(1), failed}).Assign(t.Context(), need)
				if last != ErrStore {
					require.ErrorIs(t, err, last)
				}
				assert.Zero(t, time.Since(begin))
			})
		})
	}
}

// The answer to the write that takes the only row is lost, and then the store is away for a while.
// The row is the process's own: it does not wait until its own lease has expired.
func TestAStartFindsTheRowThatItHasTaken(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		var down atomic.Bool
		lossy := through(func(ctx context.Context, call any) answer {
			if down.Load() {
				return answer{err: errDown}
			}
			a := ask(ctx, s.Store, call)
			if _, writes := call.(store.Write); writes {
				down.Store(true)
				time.AfterFunc(10*time.Second, func() { down.Store(false) })
				return answer{err: errDown}
			}
			return a
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin := time.Now()
		l, err := Leased(lossy, s.claim).Assign(ctx, need)
		require.NoError(t, err)
		s.leases = append(s.leases, l)
		assert.LessOrEqual(t, time.Since(begin), 16*time.Second)
	})
}

// Others are faster each time, or the store does without an error what somebody told it to do
// instead: it asks less and less often, and says both.
func TestAStartThatMissesItsRow(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		writes := 0
		faster := through(func(ctx context.Context, call any) answer {
			if _, takes := call.(store.Write); takes {
				writes++
				return answer{}
			}
			return ask(ctx, s.Store, call)
		})
		ctx, end := context.WithTimeout(t.Context(), 30*time.Second)
		defer end()
		_, err := Leased(faster, s.claim).Assign(ctx, need)
		require.ErrorIs(t, err, errMissed)
		assert.ErrorContains(t, err, "trigger")
		assert.Less(t, writes, 100)
	})
}

// While its database is away, a start with Disposable uses up no keys, and few when the answers
// get lost.
func TestDisposableTriesUntilTheStoreAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys, lost := int64(0), atomic.Bool{}
		lost.Store(true)
		time.AfterFunc(40*time.Second, func() { lost.Store(false) })
		r := registrarFunc(func(ctx context.Context, _ store.Node, _ int64) (int64, error) {
			keys++
			if lost.Load() {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return keys, nil
		})
		log := &logLines{}
		ctx := asynclog.With(t.Context(), asynclog.Logger(slog.New(slog.NewTextHandler(log, nil))))
		l, err := Disposable(r).Assign(ctx, need)
		require.NoError(t, err)
		assert.LessOrEqual(t, l.WorkerID(), int64(3))
		synctest.Wait()
		assert.Len(t, log.lines(slog.LevelWarn), 1)

		away := losing{r, errors.New("connection refused")}
		begin, used := time.Now(), keys
		_, err = Disposable(away).Assign(ctx, need)
		require.ErrorIs(t, err, away.err)
		assert.GreaterOrEqual(t, time.Since(begin), startFor)
		assert.Equal(t, used, keys)
	})
}
