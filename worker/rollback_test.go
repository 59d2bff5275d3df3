package worker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// backup makes a copy of the store, and restore puts it back in place.
func (s *env) backup() (restore func()) {
	copy := s.Snapshot()
	return func() { s.Rollback(copy) }
}

// A backup is restored beside live holders, one of whose ids is free in it.
func TestARestoredBackupIsNoticed(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		a := Leased(s.network(), s.claim)
		restore := s.backup()
		l := assign(t, a)
		s.work(l, 20*time.Second)
		_, granted := l.Grant()
		restore()
		s.work(l, 13*time.Second)

		require.ErrorIs(t, l.Err(), ErrRolledBack)
		assert.ErrorIs(t, l.Err(), ErrFenced, "what is left must not be handed out")
		assert.ErrorContains(t, l.Err(), "went back in time")
		assert.ErrorContains(t, l.Err(), "quarantine")
		assert.NotContains(t, l.Err().Error(), "held by")
		lo, hi := l.Grant()
		assert.Greater(t, lo, hi)
		errors := s.log.lines(slog.LevelError)
		require.Len(t, errors, 1)
		assert.Contains(t, errors[0], "went back in time")
		warned := s.log.lines(slog.LevelWarn)
		require.Len(t, warned, 1)
		assert.Contains(t, warned[0], "deleted the layout's rows")

		v, err := s.View(t.Context(), need.pool(), 0, 1)
		require.NoError(t, err)
		assert.Empty(t, v.Rows)
		s.claim.ExistingOnly = false
		lo, _ = s.lease().Grant()
		assert.Greater(t, lo, granted+5, "above all that was granted, and the slack")
	})
}

// As long as the rows cannot be deleted, who noticed takes no worker id.
func TestNoWorkerIdIsTakenBeforeTheRowsAreDeleted(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		allowed := false
		s.claim.ExistingOnly = false
		a := Leased(through(func(ctx context.Context, call any) answer {
			if _, deletes := call.(purge); deletes && !allowed {
				return answer{err: errPermission}
			}
			return ask(ctx, s.Store, call)
		}), s.claim)
		restore := s.backup()
		l := assign(t, a)
		s.work(l, 20*time.Second)
		_, granted := l.Grant()
		restore()
		s.work(l, 10*time.Minute)
		require.ErrorIs(t, l.Err(), ErrRolledBack)
		for range 3 {
			_, err := a.Assign(t.Context(), need)
			require.ErrorIs(t, err, ErrRolledBack)
			require.ErrorIs(t, err, errPermission)
		}
		assert.Len(t, s.log.lines(slog.LevelError), 1, "that it went back")
		retries := s.log.lines(slog.LevelWarn)
		require.NotEmpty(t, retries)
		assert.Contains(t, retries[0], "the rows of the layout have to be deleted")

		allowed = true
		next := assign(t, a)
		s.leases = append(s.leases, next, l)
		lo, _ := next.Grant()
		assert.Greater(t, lo, granted)
	})
}

// A fail-over that loses writes is none of it: there the floor is raised with the
// epoch, before anybody writes.
func TestAFailOverThatLosesWritesIsNoRestore(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		restore := s.backup()
		l := s.lease()
		s.work(l, 20*time.Second)
		restore()
		s.Restart("another")
		s.work(l, time.Minute)
		require.ErrorIs(t, l.Err(), ErrDeleted)
		assert.NotErrorIs(t, l.Err(), ErrRolledBack)
		assert.ErrorContains(t, l.Err(), "lost in a fail-over")
	})
}

// A release whose answer gets lost may have lowered High by itself.
func TestALostReleaseIsNoRestore(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	a.mint(10)
	a.readRow()
	release := a.release(a.last, a.claim.nonce())
	require.True(t, l.arrive(release))
	a.timeout()
	b := l.actor("B").acquire()
	require.True(t, b.free())
	a.looksTwice()
	require.Error(t, a.lost)
	assert.False(t, errors.Is(a.lost, ErrRolledBack), "%v", a.lost)
}

// looksTwice looks at the row, writes it, and looks again.
func (h *actor) looksTwice() {
	for range 2 {
		h.see(h.schedule.view(h.worker, h.worker))
		if h.lost == nil {
			h.send(h.renew(h.claim.nonce(), h.schedule.now()))
		}
	}
}

// A copy of the process that was told so is shown less, since the original gave the row
// back at its last tick.
func TestAReleaseByACloneIsNoRestore(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	a.mint(10)
	b := a.copy("B")
	b.restore()
	require.True(t, a.free())
	b.looksTwice()
	require.ErrorIs(t, b.lost, ErrFenced)
	assert.NotErrorIs(t, b.lost, ErrRolledBack)
}

// The answer to a write that was under way when the machine was copied may reach both copies:
// it proves nothing to one that was told, since the other may give the row back below it.
func TestAWriteUnderWayAtARestoreIsNoProof(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	l.tick = 30
	w := a.ask()
	a.restore()
	require.True(t, a.send(w))
	require.Equal(t, w.Nonce, a.latest.Nonce, "it is acknowledged all the same")
	_, sure := a.leastHigh()
	assert.False(t, sure)
}
