package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// told are the lines of all levels that say something of the store or the lease.
func (s *env) told() (lines []string) {
	synctest.Wait()
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		lines = append(lines, s.log.lines(level)...)
	}
	return lines
}

var errPermission = errors.New("cannot execute UPDATE in a read-only transaction")

// A server that comes back read-only, and as another incarnation: its floor cannot be
// raised.
func TestAReadOnlyServerIsToldOnceWithItsReason(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.work(l, 10*time.Second)
		s.failOver()
		s.set(func(f *flaky) { f.refuses = errPermission })
		s.work(l, 2*time.Hour)
		warned := s.log.lines(slog.LevelWarn)
		require.Len(t, warned, 1)
		assert.Contains(t, warned[0], "read-only transaction")
		for _, line := range s.told() {
			assert.NotContains(t, line, "grants begin above", "they do not")
		}

		s.set(func(f *flaky) { f.refuses = errors.New("disk quota exceeded") })
		s.work(l, 2*time.Hour)
		warned = s.log.lines(slog.LevelWarn)
		require.Len(t, warned, 2, "a line with the new reason")
		assert.Contains(t, warned[1], "disk quota exceeded")

		s.set(func(f *flaky) { f.refuses = nil })
		s.work(l, time.Minute)
		warned = s.log.lines(slog.LevelWarn)
		require.Len(t, warned, 4)
		assert.Contains(t, warned[2], "failed over, restarted or was restored; grants begin above")
		assert.Contains(t, warned[3], "the times in ids jump")
		assert.Len(t, s.log.lines(slog.LevelInfo), 2, "leased, and renewed again")
	})
}

// Two servers that both run, as behind an address that leads to any node of a cluster, raise the
// floor in turn, and each grants almost nothing.
func TestServersThatTakeTurnsAreTold(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.failOver()
		s.work(l, time.Minute)
		v, err := s.View(t.Context(), need.pool(), 0, 0)
		require.NoError(t, err)
		s.Restart("a third")
		_, err = s.Store.Raise(t.Context(), need.pool(), v.Head, need.pool().Window(), v.Slack)
		require.NoError(t, err)
		warned := func() string { return strings.Join(s.log.lines(slog.LevelWarn), "") }
		require.NotContains(t, warned(), "in turn")
		s.Restart("another")
		s.work(l, time.Minute)
		assert.Contains(t, warned(), "in turn: connect all processes to one")
		for i := range 20 { // behind an address that leads to any, a process is sent to and fro
			s.Restart([]string{"a third", "another"}[i%2])
			s.work(l, time.Minute)
		}
		assert.Len(t, s.log.lines(slog.LevelWarn), 4, "and that the times in ids jump")
	})
}

// One process raises the floor. The log of each has a line about its own ids, and no second one.
func TestEachProcessTellsThatItsIDsJump(t *testing.T) {
	inBubble(t, 3, func(t *testing.T, s *env) {
		leases := []Lease{s.lease(), s.lease(), s.lease()}
		warned := func() string { return strings.Join(s.log.lines(slog.LevelWarn), "") }
		s.work(leases[0], 2*time.Minute)
		require.Empty(t, warned())
		s.failOver()
		s.work(leases[0], 30*time.Minute)
		assert.Equal(t, len(leases), strings.Count(warned(), "the times in ids jump"))
		for _, l := range leases {
			assert.Regexp(t, fmt.Sprintf("the times in ids jump.* worker=%d ", l.WorkerID()), warned())
		}
	})
}

// What a pool grants in its first minute begins a minute ahead of the clock, so that it may be
// used up long before it ends.
func TestTheLogSaysThatNoIdsCome(t *testing.T) {
	for _, used := range []bool{false, true} {
		inBubble(t, 1, func(t *testing.T, s *env) {
			l := s.lease()
			s.set(func(f *flaky) { f.down = true })
			if _, hi := l.Grant(); used {
				l.Want(hi + 1)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			warned := s.log.lines(slog.LevelWarn)
			require.Len(t, warned, 1)
			assert.Equal(t, used, strings.Contains(warned[0], "all that was granted is used up: no new ids"))
			assert.NotEqual(t, used, strings.Contains(warned[0], "until="))
		})
	}
}

// The clock of the store is set back: writes miss, and what keeps them is told.
func TestAStoreClockThatWasSetBackIsTold(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.set(func(f *flaky) {
			f.Store = f.SnapshotAt(func() time.Time { return time.Now().Add(-time.Hour) })
		})
		s.work(l, 10*time.Minute)
		warned := s.log.lines(slog.LevelWarn)
		require.Len(t, warned, 2)
		assert.Contains(t, warned[0], `ahead_by="1h0m0s, within 0s"`)
		assert.Contains(t, warned[1], "the store's clock was set back")
	})
}

// foreign is a log handler that does as it likes with each line.
type foreign struct {
	slog.Handler
	hook func(line string)
}

func (f foreign) Handle(ctx context.Context, r slog.Record) error {
	f.hook(r.Message)
	return f.Handler.Handle(ctx, r)
}

func (f foreign) WithAttrs(a []slog.Attr) slog.Handler {
	return foreign{f.Handler.WithAttrs(a), f.hook}
}

func TestALogHandlerMayDoAsItLikes(t *testing.T) {
	for name, use := range map[string]func(l Lease, end chan bool){
		"block": func(_ Lease, end chan bool) { <-end },
		"release the lease": func(l Lease, _ chan bool) {
			l.Release(context.Background(), math.MinInt64)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 1, func(t *testing.T, s *env) {
				end := make(chan bool)
				defer func() { close(end); synctest.Wait() }()
				var l Lease
				s.claim.Logger = slog.New(foreign{slog.NewTextHandler(s.log, nil), func(string) {
					if l != nil {
						use(l, end)
					}
				}})
				leased := s.lease()
				synctest.Wait()
				l = leased
				s.set(func(f *flaky) { f.down = true })
				s.work(l, 2*time.Minute) // it says so
				s.set(func(f *flaky) { f.down = false })
				s.work(l, time.Minute)
				_, hi := l.Grant()
				assert.Equal(t, name == "block", hi > nowTick(), "renewed, or released")
			})
		})
	}
}
