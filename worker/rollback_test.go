package worker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
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
	seen := a.copy("A sees it")
	seen.readRow()
	require.NoError(t, seen.lost)
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

// A row that shows less than was acknowledged proves that the store went back, unless the floor
// of a new epoch lies above all of that.
func TestWhatARowProvesThatShowsLess(t *testing.T) {
	const acked = 100
	for name, c := range map[string]struct {
		epoch   string
		floor   int64
		unknown store.Write
		row     store.Row
		proof   bool
	}{
		"in the same epoch":        {row: store.Row{Open: true, High: 99}, proof: true},
		"as much":                  {row: store.Row{Open: true, High: 100}},
		"a new row":                {row: store.Row{}},
		"below the floor that was": {floor: 101, row: store.Row{Open: true, High: 99}, proof: true},
		"below a new floor":        {epoch: "2", floor: 101, row: store.Row{Open: true}},
		"a new floor at what was granted": {epoch: "2", floor: 100, row: store.Row{Open: true, High: 99},
			proof: true},
		"after a renewal that asked for less": {unknown: store.Write{High: 90},
			row: store.Row{Open: true, High: 95}, proof: true},
		"after a release that may have been applied": {unknown: store.Write{High: 90, Release: true},
			row: store.Row{Open: true, High: 95}},
		"after a release at what was asked for": {unknown: store.Write{High: 120, Release: true},
			row: store.Row{Open: true, High: 110}},
	} {
		h := holder{acked: acked, missed: true, unknown: []sent{{Write: c.unknown}}}
		h.latest.Nonce, h.unknown[0].Nonce, c.row.Nonce = store.Nonce{1}, store.Nonce{2}, store.Nonce{3}
		lost := ErrDeleted // and made again
		if c.row.Open {
			lost, c.row.Renewed = ErrFenced, scheduleStart
		}
		h.see(store.View{Pool: schedulePool, Head: store.Head{Epoch: c.epoch, Floor: c.floor},
			Rows: []store.Row{c.row}})
		require.ErrorIs(t, h.lost, lost, name)
		assert.Equal(t, c.proof, errors.Is(h.lost, ErrRolledBack), name)
	}
}

// A view may be older than the process's own writes. It takes two such views, and between them
// a write that was refused, to prove that the row is another's.
func TestAnOldViewIsNoProof(t *testing.T) {
	l := newSchedule(t, 1)
	old := l.view(0, 0)
	a := l.actor("A").acquire()
	renew := func() store.Write { return a.renew(a.claim.nonce(), l.now()) }
	seesOld := func(after string) {
		a.see(old)
		require.NoError(t, a.lost, after)
	}

	seesOld("an acquisition")
	renew()
	a.timeout()
	seesOld("a write without an answer")
	a.readRow()
	seesOld("a true view")
	require.True(t, a.extend())
	seesOld("a renewal")
	require.True(t, a.send(renew()))
	seesOld("a renewal after an old view")
	for _, after := range []func() bool{a.extend, func() bool { a.readRow(); return true }} {
		require.True(t, after())
		renew()
		a.wrote(false, nil)
		seesOld("a refused write after a true view")
	}
	renew()
	a.wrote(false, nil)
	a.see(old)
	require.ErrorIs(t, a.lost, ErrFenced, "a refused write between two")
}

// The clock is set back between two writes that get no answer.
func TestWritesWithoutAnAnswerThatAskForLess(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	l.tick = 30
	more := a.ask()
	a.timeout()
	l.tick = 10
	less := a.ask()
	a.timeout()
	b, c := a.copy("B"), a.copy("C")

	l.tick = 30
	require.True(t, l.arrive(more))
	a.readRow()
	b.restore()
	c.restore()
	for _, clone := range []*actor{b, c} { // each of which may take the other for a copy
		clone.readRow()
		clone.mint(100)
	}
	require.True(t, l.arrive(less), "it expected the one before")
	a.readRow()
	l.tick = 31
	require.True(t, a.extend())
	first := scheduleStart.Unix()
	assert.Equal(t, []span{{first, first + 91}}, a.spans, "nothing is granted twice")
}

// Of the writes without an answer, the last ones are remembered.
func TestAnOutageFillsNoMemory(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	var writes []store.Write
	for range 5*maxUnknown + 1 {
		writes = append(writes, a.ask())
		a.timeout()
	}
	require.Len(t, a.unknown, maxUnknown)
	require.True(t, l.arrive(writes[len(writes)-maxUnknown]))
	a.readRow()
	assert.NoError(t, a.lost)
}

// An answer that was lost is found in a view, whose floor may be another one by then.
func TestAGrantBeginsAtTheHigherFloor(t *testing.T) {
	for _, floors := range [][2]int64{{120, 100}, {100, 120}} {
		w := store.Write{Nonce: store.Nonce{1}, High: 160, Floor: floors[0]}
		h := holder{latest: sent{Write: store.Write{Nonce: store.Nonce{2}}}, unknown: []sent{{Write: w}}}
		h.see(store.View{Pool: schedulePool, Head: store.Head{Floor: floors[1]},
			Rows: []store.Row{{Nonce: w.Nonce, Open: true, High: w.High}}})
		assert.Equal(t, []span{{120, 160}}, h.spans, "floors %v", floors)
	}
}
